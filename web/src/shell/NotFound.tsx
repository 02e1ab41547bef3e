import { Link } from "wouter";
import { useDocumentTitle } from "../ui/useDocumentTitle";

export function NotFound() {
  useDocumentTitle("Nothing is here");
  return (
    <div className="shell-broken">
      <h1>Nothing is here</h1>
      <p>The address may be mistyped, or what was here is gone.</p>
      <p>
        <Link href="/" className="button primary">
          Go to your conversations
        </Link>
      </p>
    </div>
  );
}
