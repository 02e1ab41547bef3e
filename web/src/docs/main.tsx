import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Docs } from "./Docs";
import "../styles/base.css";
import "./docs.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Docs />
    </StrictMode>,
  );
}
