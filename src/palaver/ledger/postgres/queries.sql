-- add_user: Makes the counter of a user who has none.
INSERT INTO palaver.users (name) VALUES (%s) ON CONFLICT (name) DO NOTHING;

-- user_number: The number a user's rows carry, and whether they are half a copy.
SELECT no, copying FROM palaver.users WHERE name = %s;

-- position: The highest pos given.
SELECT pos FROM palaver.users WHERE no = palaver.me();

-- hold: Keeps everybody else from committing lines of the owner; gives the position.
SELECT pos FROM palaver.users WHERE no = palaver.me() FOR NO KEY UPDATE;

-- sizes: How long each stream is; the user's own comes last.
SELECT name, size FROM palaver.streams
WHERE owner = palaver.me() AND NOT deleted
ORDER BY name = 'user', no;

-- stream: One stream, if it is there.
SELECT no, name, size, lines, chain, turn, answered, unsealed, unsealed_lines
FROM palaver.streams
WHERE owner = palaver.me() AND name = %s AND NOT deleted;

-- first_from: The number of the first line that begins at an offset or behind it.
SELECT coalesce(max(seq) + 1, 0) FROM (
    SELECT seq FROM palaver.lines
    WHERE owner = palaver.me() AND stream = %(stream)s AND place < %(offset)s
    ORDER BY seq DESC LIMIT 1
) AS before;

-- page: The lines from a number on, as many as may be held at once.
SELECT l.seq, l.place, l.line, l.odd
FROM (
    SELECT seq, seq + 1000 AS end_seq, place + 1048576 AS end_place FROM palaver.lines
    WHERE owner = palaver.me() AND stream = %(stream)s AND seq >= %(seq)s
    ORDER BY seq LIMIT 1
) AS first
JOIN palaver.lines AS l
    ON l.owner = palaver.me() AND l.stream = %(stream)s
    AND l.seq >= first.seq AND l.seq < first.end_seq
    AND l.place < first.end_place
ORDER BY l.seq;

-- page_back: The lines before a number, last first, as many as may be held at once.
SELECT l.seq, l.place, l.line, l.odd
FROM (
    SELECT seq, seq - 100 AS end_seq, place - 1048576 AS end_place FROM palaver.lines
    WHERE owner = palaver.me() AND stream = %(stream)s AND seq < %(seq)s
    ORDER BY seq DESC LIMIT 1
) AS last
JOIN palaver.lines AS l
    ON l.owner = palaver.me() AND l.stream = %(stream)s
    AND l.seq <= last.seq AND l.seq > last.end_seq
    AND l.place >= last.end_place
ORDER BY l.seq DESC;

-- owners: Whose rows the commit is about.
SELECT set_config('palaver.owners', %s, true);

-- lock: Takes the counters that nobody holds, in order.
SELECT no, pos, copying FROM palaver.users WHERE no = ANY (palaver.us())
ORDER BY no FOR NO KEY UPDATE SKIP LOCKED;

-- lock_waiting: Takes the counters, in order, and waits for whoever holds them.
SELECT no, pos, copying FROM palaver.users WHERE no = ANY (palaver.us())
ORDER BY no FOR NO KEY UPDATE;

-- heads: The ends of some streams.
SELECT s.owner, s.name, s.no, s.size, s.lines, s.chain, s.turn, s.answered,
       s.unsealed, s.unsealed_lines, s.deleted
FROM json_to_recordset(%s::json) AS asked (owner bigint, name text)
JOIN palaver.streams AS s ON s.owner = asked.owner AND s.name = asked.name
WHERE s.owner = ANY (palaver.us());

-- find_keys: What some keys were used for, with the line itself; without one when it was erased.
WITH asked AS MATERIALIZED (
    SELECT owner, decode(digest, 'hex') AS digest
    FROM json_to_recordset(%s::json) AS n (owner bigint, digest text)
)
SELECT k.owner, k.digest, s.name, l.seq, l.place, l.line, l.odd
FROM asked
JOIN palaver.keys AS k ON k.owner = asked.owner AND k.digest = asked.digest
LEFT JOIN palaver.lines AS l ON l.stream = k.stream AND l.seq = k.seq AND l.owner = k.owner
LEFT JOIN palaver.streams AS s ON s.no = l.stream AND s.owner = l.owner
WHERE k.owner = ANY (palaver.us());

-- where_used: In which stream a key was used; without one when the line was erased.
SELECT s.name FROM palaver.keys AS k
LEFT JOIN palaver.streams AS s ON s.no = k.stream AND s.owner = k.owner
WHERE k.owner = palaver.me() AND k.digest = %s;

-- begin_streams: New streams, with their ends.
INSERT INTO palaver.streams (owner, name, size, lines, chain, turn, answered)
SELECT owner, name, size, lines, decode(chain, 'hex'), turn, answered
FROM json_to_recordset(%s::json) AS n (
    owner bigint, name text, size bigint, lines bigint, chain text, turn bigint, answered boolean
)
WHERE owner = ANY (palaver.us());

-- move_heads: The new ends of streams that had begun.
UPDATE palaver.streams AS s
SET size = n.size, lines = n.lines, chain = decode(n.chain, 'hex'), turn = n.turn, answered = n.answered,
    unsealed = NULL, unsealed_lines = 0
FROM json_to_recordset(%s::json) AS n (
    owner bigint, name text, size bigint, lines bigint, chain text, turn bigint, answered boolean
)
WHERE s.owner = n.owner AND s.name = n.name AND NOT s.deleted AND s.owner = ANY (palaver.us());

-- add_lines: The lines of a commit.
INSERT INTO palaver.lines (owner, stream, seq, pos, place, line)
SELECT n.owner, s.no, n.seq, n.pos, n.place, n.line
FROM json_to_recordset(%s::json) AS n (
    owner bigint, name text, seq bigint, pos bigint, place bigint, line text
)
JOIN palaver.streams AS s ON s.owner = n.owner AND s.name = n.name
WHERE n.owner = ANY (palaver.us());

-- add_keys: The keys that the lines of a commit were sent with.
INSERT INTO palaver.keys (owner, digest, stream, seq)
SELECT n.owner, decode(n.digest, 'hex'), s.no, n.seq
FROM json_to_recordset(%s::json) AS n (owner bigint, digest text, name text, seq bigint)
JOIN palaver.streams AS s ON s.owner = n.owner AND s.name = n.name
WHERE n.owner = ANY (palaver.us());

-- move_counters: The new positions.
UPDATE palaver.users AS u SET pos = n.pos
FROM json_to_recordset(%s::json) AS n (owner bigint, pos bigint)
WHERE u.no = n.owner AND u.no = ANY (palaver.us());

-- some_lines: Single lines of a stream.
SELECT l.seq, l.place, l.line, l.odd
FROM palaver.lines AS l JOIN palaver.streams AS s ON s.no = l.stream
WHERE s.owner = palaver.me() AND l.owner = palaver.me()
    AND s.name = %(name)s AND l.seq = ANY (%(seqs)s::bigint[])
ORDER BY l.seq;

-- put_stones: Puts tombstones in the place of lines.
UPDATE palaver.lines AS l SET line = n.line, odd = NULL
FROM unnest(%(seqs)s::bigint[], %(stones)s::text[]) AS n (seq, line), palaver.streams AS s
WHERE s.owner = palaver.me() AND s.name = %(name)s
    AND l.owner = palaver.me() AND l.stream = s.no AND l.seq = n.seq;

-- delete_lines: Takes the lines of a stream away.
DELETE FROM palaver.lines AS l USING palaver.streams AS s
WHERE s.owner = palaver.me() AND s.name = %s AND l.owner = palaver.me() AND l.stream = s.no;

-- delete_stream: Leaves nothing of a stream but its name.
UPDATE palaver.streams
SET deleted = true, size = 0, lines = 0, chain = '\x'::bytea, turn = 0, answered = true,
    unsealed = NULL, unsealed_lines = 0
WHERE owner = palaver.me() AND name = %s;

-- forget_replies: Takes away what there is of replies in the making: of those in a stream, and of those
-- that nobody makes any more.
DELETE FROM palaver.reply_parts AS p USING palaver.replies AS r
WHERE p.owner = palaver.me() AND r.owner = palaver.me() AND r.id = p.reply
    AND (r.conversation = %s OR r.touched < now() - make_interval(secs => %s));

-- erase_keys: The messages of these keys are gone; the keys stay used.
INSERT INTO palaver.keys (owner, digest)
SELECT palaver.me(), digest FROM unnest(%s::bytea[]) AS n (digest)
ON CONFLICT (owner, digest) DO UPDATE SET stream = NULL, seq = NULL;

-- at_positions: The position, and the lines that stand at some positions up to it.
SELECT u.pos, l.line
FROM palaver.users AS u
LEFT JOIN palaver.lines AS l ON l.owner = u.no AND l.pos = ANY (%s::bigint[])
WHERE u.no = palaver.me()
ORDER BY l.pos;

-- keys_of: Which of some keys are noted, and which line of a stream they point to, if to any there.
SELECT digest, CASE WHEN stream = %(stream)s THEN seq END FROM palaver.keys
WHERE owner = palaver.me() AND digest = ANY (%(digests)s::bytea[]);

-- wrong_keys: The keys that point to no line.
SELECT count(*) FROM palaver.keys AS k
WHERE k.owner = palaver.me() AND k.stream IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM palaver.lines AS l
    WHERE l.owner = palaver.me() AND l.stream = k.stream AND l.seq = k.seq
);

-- stray_lines: How many lines belong to no stream of their owner, or to a deleted one.
SELECT count(*) FILTER (WHERE s.no IS NULL), count(*) FILTER (WHERE s.deleted)
FROM palaver.lines AS l
LEFT JOIN palaver.streams AS s ON s.no = l.stream AND s.owner = l.owner
WHERE l.owner = palaver.me() AND (s.no IS NULL OR s.deleted);

-- since: The lines after a position, in order, as many as may be held at once.
SELECT l.pos, s.name, l.seq, l.place, l.line, l.odd
FROM (
    SELECT pos, stream, seq, place, line, odd,
           sum(size) OVER (ORDER BY pos ROWS UNBOUNDED PRECEDING) - size AS before
    FROM (
        SELECT pos, stream, seq, place, line, odd,
               coalesce(octet_length(line), octet_length(odd)) AS size
        FROM palaver.lines
        WHERE owner = palaver.me() AND pos > %(after)s
        ORDER BY pos LIMIT %(limit)s
    ) AS later
) AS l
JOIN palaver.streams AS s ON s.no = l.stream AND s.owner = palaver.me()
WHERE l.before < %(bytes)s
ORDER BY l.pos;
