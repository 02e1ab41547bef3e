import { mergeConfig } from "vite";
import page from "../../vite.config.ts";

const here = (path: string): string => new URL(path, import.meta.url).pathname;

// The page as it would be if its sanitiser failed: for tests of the policy alone.
export default mergeConfig(page, {
  root: here("../.."),
  resolve: { alias: [{ find: /^\.\/sanitise$/, replacement: here("sanitise.ts") }] },
});
