-- state: Whether the owner's rows are half a copy, and whether there are any; holds the counter.
SELECT copying,
       pos > 0
       OR EXISTS (SELECT FROM palaver.streams WHERE owner = palaver.me())
       OR EXISTS (SELECT FROM palaver.keys WHERE owner = palaver.me())
FROM palaver.users WHERE no = palaver.me() FOR NO KEY UPDATE;

-- identity: Which server, which database, which owner.
SELECT pg_postmaster_start_time(), oid, palaver.me() FROM pg_database WHERE datname = current_database();

-- mark: From here on nobody uses the owner's rows but the copy.
UPDATE palaver.users SET copying = true WHERE no = palaver.me();

-- patience: The transaction that keeps others away is idle while the lines come.
SELECT set_config('idle_in_transaction_session_timeout', '0', true);

-- finish: All the lines are there.
UPDATE palaver.users SET copying = false, pos = %s WHERE no = palaver.me() AND copying;

-- put_heads: The ends of some streams, and their numbers; none for a stream that was deleted.
INSERT INTO palaver.streams AS s (
    owner, name, size, lines, chain, turn, answered, unsealed, unsealed_lines
)
SELECT palaver.me(), name, size, lines, decode(chain, 'hex'), turn, answered, unsealed, unsealed_lines
FROM json_to_recordset(%s::json) AS n (
    name text, size bigint, lines bigint, chain text, turn bigint, answered boolean,
    unsealed bigint, unsealed_lines bigint
)
ON CONFLICT (owner, name) DO UPDATE
SET size = excluded.size, lines = excluded.lines, chain = excluded.chain, turn = excluded.turn,
    answered = excluded.answered, unsealed = excluded.unsealed,
    unsealed_lines = excluded.unsealed_lines
WHERE NOT s.deleted
RETURNING name, no;

-- positions: Which of some positions stand in a line already.
SELECT pos FROM palaver.lines WHERE owner = palaver.me() AND pos = ANY (%s::bigint[]);

-- lines: Takes lines. A COPY would take them past the wall, so the server refuses it.
INSERT INTO palaver.lines (owner, stream, seq, pos, place, line, odd)
SELECT palaver.me(), n.* FROM unnest(
    %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::bytea[]
) AS n;

-- analyse: Counts what is in the tables now, unless somebody else is doing so.
ANALYZE (SKIP_LOCKED) palaver.streams, palaver.lines, palaver.keys;

-- put_keys: What the lines were sent with; of two lines with one key, the first has it.
INSERT INTO palaver.keys (digest, stream, seq)
SELECT decode(n.digest, 'hex'), s.no, n.seq
FROM json_to_recordset(%s::json) AS n (digest text, name text, seq bigint)
JOIN palaver.streams AS s ON s.owner = palaver.me() AND s.name = n.name
ON CONFLICT (owner, digest) DO NOTHING;

-- put_deleted: The names of streams that were deleted are never taken again.
INSERT INTO palaver.streams (name, size, lines, chain, turn, answered, deleted)
SELECT DISTINCT name, 0, 0, '\x'::bytea, 0, true, true FROM unnest(%s::text[]) AS n (name)
ON CONFLICT (owner, name) DO NOTHING;

-- cut_keys: The keys of lines that are taken away are free.
DELETE FROM palaver.keys AS k USING palaver.streams AS s
WHERE s.owner = palaver.me() AND s.name = %(name)s
    AND k.owner = palaver.me() AND k.stream = s.no AND k.seq >= %(lines)s;

-- cut_lines: Takes the lines of a stream away, from a number on.
DELETE FROM palaver.lines AS l USING palaver.streams AS s
WHERE s.owner = palaver.me() AND s.name = %(name)s
    AND l.owner = palaver.me() AND l.stream = s.no AND l.seq >= %(lines)s;

-- drop_stream: Takes a stream away that has no lines left.
DELETE FROM palaver.streams WHERE owner = palaver.me() AND name = %(name)s;
