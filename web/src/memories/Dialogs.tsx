// The dialog that is open, if any: over whatever page somebody is on.
import { Extract } from "./Extract";
import { ForgetAbout, ForgetFrom, ForgetOne } from "./Forget";
import { openMemories, useOpened } from "./opening";
import { Remember } from "./Remember";
import "./memories.css";

export default function Dialogs() {
  const { opened } = useOpened();
  const close = () => openMemories(null);
  switch (opened?.kind) {
    case "remember":
      return <Remember opened={opened} onClose={close} />;
    case "extract":
      return <Extract conversationId={opened.conversationId} onClose={close} />;
    case "forget":
      return <ForgetOne memory={opened.memory} onClose={close} />;
    case "forgetAbout":
      return <ForgetAbout onClose={close} />;
    case "forgetFrom":
      return <ForgetFrom conversationId={opened.conversationId} onClose={close} />;
    default:
      return null;
  }
}
