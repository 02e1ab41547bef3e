// Memories, grouped by their type. The arrow keys, or j and k, walk from one to the next, and
// letters do something with the one that is reached.
import { useMemo } from "react";
import { useRows } from "../ui/useRows";
import { ROW, Row } from "./Row";
import { hasSource } from "./Source";
import { type Memory, TYPES } from "./shapes";
import { typeName } from "./words";

interface Props {
  label: string;
  memories: readonly Memory[];
  put: (memory: Memory) => void;
  categories: readonly string[];
  /** What fits best stands first. */
  isRanked?: boolean;
  /** Its history is open from the beginning. */
  isAlone?: boolean;
}

interface Group {
  type: string;
  memories: readonly Memory[];
}

/** Always in the same order; those that were looked for, in that of the first of each type, so that
 * what fits best stands first. */
export function grouped(memories: readonly Memory[], isRanked: boolean): Group[] {
  const there = [...new Set<string>(memories.map(({ type }) => type))];
  const types = isRanked
    ? there
    : [...new Set([...TYPES.filter((one) => there.includes(one)), ...there])];
  return types.map((type) => ({ type, memories: memories.filter((one) => one.type === type) }));
}

export function List({ label, memories, put, categories, ...props }: Props) {
  const { isRanked = false, isAlone = false } = props;
  const groups = useMemo(() => grouped(memories, isRanked), [memories, isRanked]);
  const ids = useMemo(
    () => groups.flatMap((group) => group.memories.map(({ id }) => id)),
    [groups],
  );
  const { list, reached, onReach, onKeyDown } = useRows(ROW, ids);
  let number = 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the lists are inside, one for each type.
    <div ref={list} role="group" aria-label={label} onKeyDown={onKeyDown}>
      {groups.map((group) => (
        <section key={group.type} className="mem-group" aria-labelledby={`mem-type-${group.type}`}>
          <h2 id={`mem-type-${group.type}`}>{typeName(group.type, !isAlone)}</h2>
          <ul className="mem-list">
            {group.memories.map((memory) => {
              if (hasSource(memory)) number += 1;
              return (
                <li key={memory.id}>
                  <Row
                    memory={memory}
                    number={number}
                    isReached={reached === memory.id}
                    onReach={onReach}
                    put={put}
                    categories={categories}
                    isAlone={isAlone}
                  />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}
