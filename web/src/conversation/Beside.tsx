// What the model saw, beside the messages. It is loaded when it is first opened.
import { type ComponentProps, lazy, Suspense } from "react";
import { Boundary } from "../shell/Boundary";

const Inspector = lazy(() => import("../inspector/Inspector"));

export const Beside = (props: ComponentProps<typeof Inspector>) => (
  <Boundary of={props.id}>
    <Suspense fallback={null}>
      <Inspector {...props} />
    </Suspense>
  </Boundary>
);
