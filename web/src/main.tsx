import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { stay } from "./markdown/stay";
import { App } from "./shell/App";
import "./styles/base.css";

stay();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
