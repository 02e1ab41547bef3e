import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Login } from "./Login";
import "../styles/alone.css";
import "./login.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Login />
    </StrictMode>,
  );
}
