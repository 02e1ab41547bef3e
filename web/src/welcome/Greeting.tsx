// The first words to somebody new: three lines on what is stored where, and who answers.
import { Link } from "wouter";
import { useStore } from "../state/store";

export function Greeting() {
  return (
    <>
      <h2>Welcome to Palaver</h2>
      <p className="welcome-lead">Write below. Everything you say is kept, and found again.</p>
      <ul className="welcome-facts">
        <li>
          <strong>Kept in one place:</strong> where this Palaver runs, readable without it.
        </li>
        <li>
          <strong>Footnotes for everything else:</strong> titles, notes and answers link to your
          words.
        </li>
        <li>
          <strong>Sent nowhere,</strong> unless a model is connected.
        </li>
      </ul>
      <WhoAnswers />
    </>
  );
}

function WhoAnswers() {
  const models = useStore((state) => state.models);
  if (!models) return null;
  const usual = models.models.find((one) => one.name === models.usual);
  if (usual?.kind === "connected") {
    return (
      <p className="welcome-models">
        <strong>{usual.name}</strong> answers. <Link href="/settings">Choose another model</Link>
      </p>
    );
  }
  return (
    <p className="welcome-models">
      The offline assistant answers, and quotes what was said before.{" "}
      <Link href="/settings#connect">Connect a model</Link>, or go on without one.
    </p>
  );
}
