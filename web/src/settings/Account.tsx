// Who is signed in, and leaving.
import { signOut } from "../state/actions";
import { useStore } from "../state/store";
import { Section } from "./Section";

export function Account() {
  const me = useStore((state) => state.me);
  if (!me) return null;
  return (
    <Section title="Account">
      <p>
        Signed in as <strong>{me.name}</strong>.
        {!me.scopes.includes("admin") && " Somebody else looks after this server."}
      </p>
      <p className="soft">
        Signing out ends this browser’s way in; conversations stay where they are. To come back,
        open the link that Palaver prints when it starts, or sign in with your password.
      </p>
      <div className="settings-row">
        <button type="button" className="button" onClick={() => void signOut()}>
          Sign out
        </button>
        <a className="button quiet" href="/docs">
          The API of this server
        </a>
      </div>
    </Section>
  );
}
