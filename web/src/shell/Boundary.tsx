// Around each part of the page: what breaks in one part leaves the others standing.
import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  /** When this changes, the part is tried again. */
  of?: string;
}

export class Boundary extends Component<Props, { problem: Error | null }> {
  override state: { problem: Error | null } = { problem: null };

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: Props) {
    if (before.of !== this.props.of && this.state.problem) this.setState({ problem: null });
  }

  override render() {
    const { problem } = this.state;
    if (!problem) return this.props.children;
    return (
      <div className="shell-broken" role="alert">
        <h1>This part of the page stopped</h1>
        <p>What you wrote is kept. Load this part again; if it stops again, reload the page.</p>
        <p>
          <button
            type="button"
            className="button primary"
            onClick={() => this.setState({ problem: null })}
          >
            Load this part again
          </button>{" "}
          <button type="button" className="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        </p>
        <details>
          <summary>What went wrong</summary>
          <pre>{problem.message}</pre>
        </details>
      </div>
    );
  }
}
