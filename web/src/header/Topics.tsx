// What a conversation is about: each topic leads to everything about it.
import { Link } from "wouter";
import { address } from "../api/client";
import { Visible } from "../ui/Visible";

export function Topics({ topics }: { topics: readonly string[] }) {
  if (topics.length === 0) return null;
  return (
    <ul className="header-topics" aria-label="Topics">
      {topics.map((topic) => (
        <li key={topic}>
          <Link
            href={address("/search", { q: topic })}
            className="header-chip"
            title={`Search for ${topic}`}
          >
            <bdi>
              <Visible text={topic} />
            </bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
