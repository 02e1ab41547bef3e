// The rest of a list, a page at a time.
interface Props {
  /** What there is more of. */
  name: string;
  isLoading: boolean;
  load: () => void;
}

export function More({ name, isLoading, load }: Props) {
  return (
    <button type="button" className="button" onClick={load} disabled={isLoading}>
      {isLoading ? "Loading more…" : `More ${name}`}
    </button>
  );
}
