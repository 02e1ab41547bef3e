-- Every statement says whose rows it is about: those of a book, which belongs to one user, or those
-- of the user. `palaver_n` stands for the schema of this version. What is given as arrays is many
-- rows at once.

-- enter: which books the statements of this transaction are about; 0, in which nothing is, without one.
-- And what has been applied, whether that is all, and what was committed
SELECT set_config('palaver.book', coalesce(b.live, 0)::text, true),
       set_config('palaver.new_book', coalesce(b.new, 0)::text, true),
       set_config('palaver.old_book', coalesce((
           SELECT min(d.book) FROM palaver_n.discarded AS d WHERE d.owner = palaver.me()
       ), 0)::text, true),
       b.position, b.complete, b.listed, u.pos
FROM (SELECT palaver.me() AS owner) AS m
LEFT JOIN palaver_n.books AS b ON b.owner = m.owner
LEFT JOIN palaver.users AS u ON u.no = m.owner;

-- enter_writing: the same, and nobody else writes rows of this user from here on
SELECT set_config('palaver.book', b.live::text, true),
       set_config('palaver.new_book', coalesce(b.new, 0)::text, true),
       set_config('palaver.old_book', coalesce((
           SELECT min(d.book) FROM palaver_n.discarded AS d WHERE d.owner = palaver.me()
       ), 0)::text, true)
FROM (
    SELECT live, new FROM palaver_n.books WHERE owner = palaver.me() FOR NO KEY UPDATE
) AS b;

-- books_of_commit: the books of those for whom lines are committed, unless somebody writes in them
SELECT owner, live, new, position, complete FROM palaver_n.books
WHERE owner = ANY (palaver.us()) ORDER BY owner FOR NO KEY UPDATE SKIP LOCKED;

-- books_of_erasure: the same, but whoever writes in them is waited for
SELECT owner, live, new, position, complete FROM palaver_n.books
WHERE owner = ANY (palaver.us()) ORDER BY owner FOR NO KEY UPDATE;

-- enter_commit: which books the statements of a commit are about: those of everybody it is for
SELECT set_config('palaver.books', array(
    SELECT unnest(ARRAY[live, new]) FROM palaver_n.books WHERE owner = ANY (palaver.us())
)::text, true);

-- act_in: from here on statements are about these books of this owner
SELECT set_config('palaver.owner', %(owner)s, true), set_config('palaver.book', %(live)s, true),
       set_config('palaver.new_book', %(new)s, true), set_config('palaver.old_book', '0', true);

-- known_streams: what has been applied of the streams of a commit, and their conversations
SELECT b.owner, n.name, s.no, s.size, s.lines, s.state,
    c.id, c.channel, c.mode, c.title, c.topics, c.created, c.said, c.turn_count, c.participants,
    c.abbreviation, c.manually_named, c.pinned, c.model, c.metadata, c.channel_meta, c.archived_seq,
    c.active_seq, c.heard, c.delay, c.heard_seq, c.abbreviated_seq, c.abbreviated_from,
    c.named_turn, c.stands_in, c.begun, c.day_state, c.folded, c.pinned_place,
    c.pinned_party, c.hash
FROM json_to_recordset(%s::json) AS n (owner bigint, name text)
JOIN palaver_n.books AS b ON b.owner = n.owner
LEFT JOIN palaver_n.streams AS s ON s.book = b.live AND s.name = n.name
LEFT JOIN palaver_n.conversations AS c ON c.book = b.live AND c.id = n.name
WHERE b.owner = ANY (palaver.us());

-- add_messages_of_commit: new messages of several users
INSERT INTO palaver_n.messages (
    book,
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
)
SELECT b.live,
    n.place, n.stream, n.id, n.role, n.content, n.timestamp, n.turn_number, n.status,
    n.supersedes, n.reply_to, n.channel, n.sender, n.author, n.model, n.parts, n.thinking_text,
    n.usage, n.cost, n.tool_calls, n.suggested_values, n.suggested_actions, n.custom_payload,
    n.intent, n.action_name, n.job_refs, n.sources, n.key, decode(n.hash, 'hex')
FROM json_to_recordset(%s::json) AS n (
    owner bigint, book bigint, place bigint, stream bigint, id text, role text, content text,
    timestamp text, turn_number bigint, status text, supersedes text, reply_to text, channel text,
    sender text, author text, model text, parts text, thinking_text text, usage text, cost double
    precision, tool_calls text, suggested_values text, suggested_actions text, custom_payload
    text, intent text, action_name text, job_refs text, sources text, key text, hash text
)
JOIN palaver_n.books AS b ON b.owner = n.owner AND b.live = n.book
WHERE b.owner = ANY (palaver.us());

-- wait_of_commit: the words of messages of several users wait
INSERT INTO palaver_n.waiting (book, place)
SELECT b.live, n.place
FROM json_to_recordset(%s::json) AS n (owner bigint, book bigint, place bigint)
JOIN palaver_n.books AS b ON b.owner = n.owner AND b.live = n.book
WHERE b.owner = ANY (palaver.us());

-- put_conversations_of_commit: the rows of conversations of several users, new or changed
INSERT INTO palaver_n.conversations (
    book,
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
)
SELECT b.live,
    n.id, n.channel, n.mode, n.title, n.topics, n.created, n.said, n.turn_count, n.participants,
    n.abbreviation, n.manually_named, n.pinned, n.model, n.metadata, n.channel_meta,
    n.archived_seq, n.active_seq, n.heard, n.delay, n.heard_seq, n.abbreviated_seq,
    n.abbreviated_from, n.named_turn, n.stands_in, n.begun, n.day_state, n.folded,
    n.pinned_place, n.pinned_party, decode(n.hash, 'hex')
FROM json_to_recordset(%s::json) AS n (
    owner bigint, book bigint, id text, channel text, mode text, title text, topics text, created
    text, said text, turn_count bigint, participants text, abbreviation text, manually_named
    bigint, pinned bigint, model text, metadata text, channel_meta text, archived_seq bigint,
    active_seq bigint, heard text, delay bigint, heard_seq bigint, abbreviated_seq bigint,
    abbreviated_from text, named_turn bigint, stands_in bigint, begun bigint, day_state text,
    folded text, pinned_place text, pinned_party text, hash text
)
JOIN palaver_n.books AS b ON b.owner = n.owner AND b.live = n.book
WHERE b.owner = ANY (palaver.us())
ON CONFLICT (book, id) DO UPDATE SET (
    channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
) = (
    excluded.channel, excluded.mode, excluded.title, excluded.topics, excluded.created,
    excluded.said, excluded.turn_count, excluded.participants, excluded.abbreviation,
    excluded.manually_named, excluded.pinned, excluded.model, excluded.metadata,
    excluded.channel_meta, excluded.archived_seq, excluded.active_seq, excluded.heard,
    excluded.delay, excluded.heard_seq, excluded.abbreviated_seq, excluded.abbreviated_from,
    excluded.named_turn, excluded.stands_in, excluded.begun, excluded.day_state,
    excluded.folded, excluded.pinned_place, excluded.pinned_party, excluded.hash
);

-- set_streams_of_commit: how much of the streams of several users has been applied
UPDATE palaver_n.streams AS s SET size = n.size, lines = n.lines, state = 'whole'
FROM json_to_recordset(%s::json) AS n (
    owner bigint, book bigint, no bigint, size bigint, lines bigint
)
JOIN palaver_n.books AS b ON b.owner = n.owner AND b.live = n.book
WHERE s.book = b.live AND s.no = n.no AND b.owner = ANY (palaver.us());

-- set_positions_of_commit: everything of several users has been applied up to these positions
UPDATE palaver_n.books AS b SET position = n.position, stirred = b.stirred + 1
FROM json_to_recordset(%s::json) AS n (owner bigint, book bigint, position bigint)
WHERE b.owner = n.owner AND b.live = n.book AND b.owner = ANY (palaver.us());

-- add_book: a user who has no book gets an empty one
INSERT INTO palaver_n.books (owner) VALUES (palaver.me()) ON CONFLICT (owner) DO NOTHING;

-- leave_book: an empty book takes the place of the one that is there
WITH left_behind AS (
    INSERT INTO palaver_n.discarded (book, owner)
    SELECT live, owner FROM palaver_n.books WHERE owner = palaver.me()
)
UPDATE palaver_n.books
SET live = nextval('palaver_n.book_numbers'), position = 0, complete = 0, listed = 0
WHERE owner = palaver.me();

-- has_new: whether a rebuild was begun and not finished
SELECT 1 FROM palaver_n.books WHERE owner = palaver.me() AND new IS NOT NULL;

-- begin_new: a book for a rebuild to fill
UPDATE palaver_n.books SET new = nextval('palaver_n.book_numbers')
WHERE owner = palaver.me() AND new IS NULL;

-- discard_new: what a rebuild has filled is not wanted
WITH left_behind AS (
    INSERT INTO palaver_n.discarded (book, owner)
    SELECT new, owner FROM palaver_n.books WHERE owner = palaver.me() AND new IS NOT NULL
)
UPDATE palaver_n.books SET new = NULL WHERE owner = palaver.me();

-- swap: the book that a rebuild has filled takes the place of the live one
WITH left_behind AS (
    INSERT INTO palaver_n.discarded (book, owner)
    SELECT live, owner FROM palaver_n.books WHERE owner = palaver.me()
)
UPDATE palaver_n.books SET live = new, new = NULL WHERE owner = palaver.me();

-- has_old: whether a book was replaced that still has rows
SELECT 1 FROM palaver_n.discarded WHERE owner = palaver.me() LIMIT 1;

-- drop_old: nothing is left of a book that was replaced
DELETE FROM palaver_n.discarded WHERE owner = palaver.me() AND book = palaver_n.book();

-- info: what is known of the index of a user
SELECT position, complete, listed, erasures FROM palaver_n.books WHERE owner = palaver.me();

-- words_waiting: how many messages wait for their words to be taken in, and how many bytes they say
SELECT count(*) AS messages,
    coalesce(sum(coalesce(octet_length(m.content), octet_length(d.text))), 0)::bigint AS text
FROM palaver_n.waiting AS w
LEFT JOIN palaver_n.messages AS m ON m.book = w.book AND m.place = w.place
LEFT JOIN palaver_n.summaries AS d ON m.place IS NULL AND d.book = w.book AND d.place = w.place
WHERE w.book = palaver_n.book();

-- standing: what has been applied, whether that is all, and what was committed
SELECT b.position, b.complete, b.listed, u.pos
FROM palaver_n.books AS b JOIN palaver.users AS u ON u.no = b.owner
WHERE b.owner = palaver.me();

-- set_position: everything up to this position has been applied
UPDATE palaver_n.books SET position = %s, stirred = stirred + 1 WHERE owner = palaver.me();

-- set_listed: every conversation has a row, if only a sketch
UPDATE palaver_n.books SET listed = 1 WHERE owner = palaver.me();

-- set_complete: every row is there
UPDATE palaver_n.books
SET complete = 1, listed = 1, position = %(position)s, stirred = stirred + 1
WHERE owner = palaver.me();

-- start_over: there are no rows to rely on
WITH gone AS (DELETE FROM palaver_n.conversations WHERE book = palaver_n.book())
UPDATE palaver_n.books SET complete = 0, listed = 0 WHERE owner = palaver.me();

-- count_erasure: whoever reads lines without the lock sees that some of them were erased meanwhile
UPDATE palaver_n.books SET erasures = erasures + 1 WHERE owner = palaver.me();

-- streams_after: the streams that have lines after a position, and the last position of these
SELECT s.name, max(l.pos)
FROM (
    SELECT stream, pos FROM palaver.lines
    WHERE owner = palaver.me() AND pos > %(position)s ORDER BY pos LIMIT %(some)s
) AS l
JOIN palaver.streams AS s ON s.no = l.stream
WHERE s.owner = palaver.me()
GROUP BY s.name;

-- streams: what has been applied of every stream
SELECT name, no, size, lines, state FROM palaver_n.streams WHERE book = palaver_n.book();

-- whole: how long every stream is that is not deleted; a lost one has no length that it could have
SELECT name, CASE state WHEN 'lost' THEN -1 ELSE size END FROM palaver_n.streams
WHERE book = palaver_n.book() AND state <> 'deleted';

-- stream: what has been applied of one stream
SELECT no, size, lines, state FROM palaver_n.streams WHERE book = palaver_n.book() AND name = %s;

-- lost_streams: streams that have lost lines
SELECT name FROM palaver_n.streams WHERE book = palaver_n.book() AND state = 'lost' ORDER BY name;

-- add_stream: a stream of which nothing has been applied yet
INSERT INTO palaver_n.streams (book, no, name, size, lines, state)
SELECT palaver_n.book(), coalesce(max(no), 0) + 1, %s, 0, 0, 'whole'
FROM palaver_n.streams WHERE book = palaver_n.book()
RETURNING no;

-- set_stream: how much of a stream has been applied
UPDATE palaver_n.streams SET size = %s, lines = %s, state = 'whole' WHERE book = palaver_n.book() AND no = %s;

-- set_state: what has become of a stream
UPDATE palaver_n.streams SET state = %s WHERE book = palaver_n.book() AND no = %s;

-- delete_stream_marks: a deleted stream keeps its name only
UPDATE palaver_n.streams SET state = 'deleted', size = 0, lines = 0 WHERE book = palaver_n.book() AND no = %s;

-- put_conversation: the row of a conversation, new or changed
INSERT INTO palaver_n.conversations (
    book,
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
) VALUES (
    palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
    %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s
)
ON CONFLICT (book, id) DO UPDATE SET (
    channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
) = (
    excluded.channel, excluded.mode, excluded.title, excluded.topics, excluded.created,
    excluded.said, excluded.turn_count, excluded.participants, excluded.abbreviation,
    excluded.manually_named, excluded.pinned, excluded.model, excluded.metadata,
    excluded.channel_meta, excluded.archived_seq, excluded.active_seq, excluded.heard,
    excluded.delay, excluded.heard_seq, excluded.abbreviated_seq, excluded.abbreviated_from,
    excluded.named_turn, excluded.stands_in, excluded.begun, excluded.day_state,
    excluded.folded, excluded.pinned_place, excluded.pinned_party, excluded.hash
);

-- add_sketch: the rows of some conversations, unless there are any
INSERT INTO palaver_n.conversations (
    book,
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
)
SELECT palaver_n.book(), n.* FROM unnest(
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::bigint[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::text[],
    %s::text[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::bigint[], %s::bigint[],
    %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::bytea[]
) AS n
ON CONFLICT (book, id) DO NOTHING;

-- conversation: one conversation
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM palaver_n.conversations WHERE book = palaver_n.book() AND id = %s;

-- some_conversations: conversations by their ids
SELECT
    c.id, c.channel, c.mode, c.title, c.topics, c.created, c.said, c.turn_count, c.participants,
    c.abbreviation, c.manually_named, c.pinned, c.model, c.metadata, c.channel_meta, c.archived_seq,
    c.active_seq, c.heard, c.delay, c.heard_seq, c.abbreviated_seq, c.abbreviated_from,
    c.named_turn, c.stands_in, c.begun, c.day_state, c.folded, c.pinned_place,
    c.pinned_party, c.hash
FROM json_array_elements_text(%s::json) AS w (id)
JOIN palaver_n.conversations AS c ON c.id = w.id
WHERE c.book = palaver_n.book();

-- number_of_conversation: the number of a conversation's stream
SELECT s.no FROM palaver_n.streams AS s
JOIN palaver_n.conversations AS c ON c.id = s.name AND c.book = s.book
WHERE s.book = palaver_n.book() AND s.name = %s;

-- every_conversation: all conversations, to verify them
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM palaver_n.conversations WHERE book = palaver_n.book();

-- list_conversations: a page of conversations, newest first
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM palaver_n.conversations
WHERE book = palaver_n.book()
    AND mode = %(mode)s
    AND archived = %(archived)s
    AND (updated, id) < (%(updated)s, %(id)s)
    AND (%(channel)s::text IS NULL OR channel = %(channel)s)
    AND (%(words)s::text IS NULL OR strpos(folded, %(words)s) > 0)
ORDER BY updated DESC, id DESC
LIMIT %(limit)s;

-- pinned_conversation: the conversation that is pinned to a place
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM palaver_n.conversations
WHERE book = palaver_n.book() AND pinned_place_hash = hashtextextended(%(place)s, 0)
    AND pinned_place = %(place)s AND channel = %(channel)s
ORDER BY updated DESC, id DESC LIMIT 1;

-- pinned_with: the conversations that are pinned to somebody, newest first
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM palaver_n.conversations
WHERE book = palaver_n.book() AND pinned_party_hash = hashtextextended(%(party)s, 0)
    AND pinned_party = %(party)s AND channel = %(channel)s
ORDER BY updated DESC, id DESC LIMIT %(limit)s;

-- owed: conversations that are owed something, first those that have been quiet for longest
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM palaver_n.conversations
WHERE book = palaver_n.book()
    AND owing IS NOT NULL
    AND (owing, id) > (%(heard)s, %(id)s)
    AND (
        mode = 'standard' AND owing <= %(quiet_since)s AND (
            heard_seq > abbreviated_seq OR title IS NULL OR (%(stand_ins)s AND stands_in > 0)
        )
        OR mode = 'standard' AND turn_count >= %(turns)s AND delay <= %(lag)s AND (
            title IS NULL OR (%(stand_ins)s AND stands_in & 2 > 0)
        )
        OR mode = 'continuous' AND %(now)s <> '' AND (
            day_state::json ->> 'until' <= %(now)s
            OR day_state::json -> 'stale' IS NOT NULL
            OR json_array_length(day_state::json -> 'untold') >= %(untold)s
        )
    )
ORDER BY owing, id
LIMIT %(limit)s;

-- titles: those of some titles that conversations have
SELECT DISTINCT folded FROM palaver_n.conversations
WHERE book = palaver_n.book() AND folded IS NOT NULL
    AND folded_hash = ANY (ARRAY(
        SELECT hashtextextended(w, 0) FROM json_array_elements_text(%(titles)s::json) AS w
    ))
    AND folded = ANY (ARRAY(SELECT json_array_elements_text(%(titles)s::json)));

-- delete_conversation: the row of a conversation goes
DELETE FROM palaver_n.conversations WHERE book = palaver_n.book() AND id = %(id)s;

-- add_message: new messages
INSERT INTO palaver_n.messages (
    book,
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
)
SELECT palaver_n.book(), n.* FROM unnest(
    %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[],
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::double precision[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::bytea[]
) AS n;

-- put_message: messages, new or changed
INSERT INTO palaver_n.messages (
    book,
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
)
SELECT palaver_n.book(), n.* FROM unnest(
    %s::bigint[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bigint[],
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::double precision[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[],
    %s::bytea[]
) AS n
ON CONFLICT (book, place) DO UPDATE SET (
    stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to, channel,
    sender, author, model, parts, thinking_text, usage, cost, tool_calls, suggested_values,
    suggested_actions, custom_payload, intent, action_name, job_refs, sources, key, hash
) = (
    excluded.stream, excluded.id, excluded.role, excluded.content, excluded.timestamp,
    excluded.turn_number, excluded.status, excluded.supersedes, excluded.reply_to,
    excluded.channel, excluded.sender, excluded.author, excluded.model, excluded.parts,
    excluded.thinking_text, excluded.usage, excluded.cost, excluded.tool_calls,
    excluded.suggested_values, excluded.suggested_actions, excluded.custom_payload,
    excluded.intent, excluded.action_name, excluded.job_refs, excluded.sources, excluded.key,
    excluded.hash
);

-- message_at: the message in a place
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages WHERE book = palaver_n.book() AND place = %(place)s;

-- messages_of_lines: messages by their streams and the numbers of their lines
SELECT s.name,
    m.place, m.stream, m.id, m.role, m.content, m.timestamp, m.turn_number, m.status,
    m.supersedes, m.reply_to, m.channel, m.sender, m.author, m.model, m.parts, m.thinking_text,
    m.usage, m.cost, m.tool_calls, m.suggested_values, m.suggested_actions, m.custom_payload,
    m.intent, m.action_name, m.job_refs, m.sources, m.key, m.hash
FROM (
    SELECT s.book, s.name, (s.no << 32) + w.seq AS place
    FROM json_to_recordset(%s::json) AS w (name text, seq bigint)
    JOIN palaver_n.streams AS s ON s.name = w.name
    WHERE s.book = palaver_n.book()
    OFFSET 0
) AS s
JOIN palaver_n.messages AS m ON m.book = s.book AND m.place = s.place
WHERE m.book = palaver_n.book() AND m.status <> 'redacted';

-- ids_of_lines: the ids of messages by their streams and the numbers of their lines
SELECT s.name, m.place, m.id
FROM (
    SELECT s.book, s.name, (s.no << 32) + w.seq AS place
    FROM json_to_recordset(%s::json) AS w (name text, seq bigint)
    JOIN palaver_n.streams AS s ON s.name = w.name
    WHERE s.book = palaver_n.book()
    OFFSET 0
) AS s
JOIN palaver_n.messages AS m ON m.book = s.book AND m.place = s.place
WHERE m.book = palaver_n.book() AND m.status <> 'redacted';

-- message_by_id: the first message of a stream that has this id
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages
WHERE book = palaver_n.book() AND id_hash = hashtextextended(%(id)s, 0)
    AND id = %(id)s AND place BETWEEN %(first)s AND %(last)s
ORDER BY place LIMIT 1;

-- messages_by_id: every message that has this id, with its conversation
SELECT s.name,
    m.place, m.stream, m.id, m.role, m.content, m.timestamp, m.turn_number, m.status,
    m.supersedes, m.reply_to, m.channel, m.sender, m.author, m.model, m.parts, m.thinking_text,
    m.usage, m.cost, m.tool_calls, m.suggested_values, m.suggested_actions, m.custom_payload,
    m.intent, m.action_name, m.job_refs, m.sources, m.key, m.hash
FROM palaver_n.messages AS m
JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = m.stream
WHERE m.book = palaver_n.book() AND m.id_hash = hashtextextended(%(id)s, 0)
    AND m.id = %(id)s
ORDER BY m.place;

-- messages_before: messages of a conversation before a place, nearest first
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages
WHERE book = palaver_n.book() AND place >= %(first)s AND place < %(place)s AND status <> 'superseded'
ORDER BY place DESC LIMIT %(limit)s;

-- messages_from: messages of a conversation from a place on, nearest first
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages
WHERE book = palaver_n.book() AND place >= %(place)s AND place <= %(last)s AND status <> 'superseded'
ORDER BY place LIMIT %(limit)s;

-- messages_of_turns: the messages of some turns
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages
WHERE book = palaver_n.book() AND stream = %(stream)s AND turn_number BETWEEN %(first)s AND %(last)s
    AND status <> 'superseded'
ORDER BY place;

-- reply: the current reply in a turn, best the one that names the message
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages
WHERE book = palaver_n.book() AND stream = %(stream)s AND turn_number = %(turn)s AND role = 'assistant'
    AND place > %(place)s AND status NOT IN ('superseded', 'redacted')
    AND (reply_to IS NULL OR reply_to = %(id)s)
ORDER BY reply_to IS NULL, place DESC LIMIT 1;

-- unanswered: messages in turns without a reply, among the last turns of what was said lately
SELECT s.name,
    m.place, m.stream, m.id, m.role, m.content, m.timestamp, m.turn_number, m.status,
    m.supersedes, m.reply_to, m.channel, m.sender, m.author, m.model, m.parts, m.thinking_text,
    m.usage, m.cost, m.tool_calls, m.suggested_values, m.suggested_actions, m.custom_payload,
    m.intent, m.action_name, m.job_refs, m.sources, m.key, m.hash
FROM (
    SELECT book, id, turn_count - %(turns)s AS turn FROM palaver_n.conversations
    WHERE book = palaver_n.book() AND archived IN (0, 1) AND updated >= %(since)s
    OFFSET 0
) AS c
JOIN palaver_n.streams AS s ON s.book = c.book AND s.name = c.id
JOIN palaver_n.messages AS m ON m.book = s.book AND m.stream = s.no AND m.turn_number > c.turn
WHERE s.book = palaver_n.book()
    AND m.role = 'user' AND m.status NOT IN ('superseded', 'redacted') AND m.timestamp >= %(since)s
    AND NOT EXISTS (
        SELECT 1 FROM palaver_n.messages AS r
        WHERE r.book = m.book AND r.stream = m.stream AND r.turn_number = m.turn_number
            AND r.role = 'assistant' AND r.place > m.place
    )
ORDER BY m.timestamp, m.place;

-- activity: what was said on some days, by channel and model
WITH d AS MATERIALIZED (
    SELECT min(since) AS first, max(until) AS last, array_agg(day ORDER BY since) AS days,
        array_agg(since ORDER BY since) AS begins, array_agg(until ORDER BY since) AS ends
    FROM json_to_recordset(%s::json) AS n (
        day text COLLATE "C", since text COLLATE "C", until text COLLATE "C"
    )
)
SELECT
    (SELECT days FROM d)[w.no],
    coalesce(m.channel, 'web'),
    CASE WHEN m.role = 'assistant' THEN m.model END,
    count(*) FILTER (WHERE m.status NOT IN ('superseded', 'redacted', 'failed')),
    count(DISTINCT (m.stream, m.turn_number)) FILTER (
        WHERE m.role = 'user' AND m.status NOT IN ('superseded', 'redacted')
    ),
    sum(CASE
        WHEN json_typeof(m.usage::json -> 'input') = 'number'
        THEN greatest(0, least(1000000000000, (m.usage::json ->> 'input')::numeric)) ELSE 0
    END),
    sum(CASE
        WHEN json_typeof(m.usage::json -> 'output') = 'number'
        THEN greatest(0, least(1000000000000, (m.usage::json ->> 'output')::numeric)) ELSE 0
    END),
    sum(greatest(0, least(1000000000, coalesce(m.cost, 0))))
FROM palaver_n.messages AS m
CROSS JOIN LATERAL (SELECT width_bucket(m.timestamp, (SELECT begins FROM d)) AS no) AS w
WHERE m.book = palaver_n.book()
    AND m.timestamp >= (SELECT first FROM d) AND m.timestamp < (SELECT last FROM d)
    AND m.timestamp < (SELECT ends FROM d)[w.no]
    AND m.role IN ('user', 'assistant')
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3 NULLS FIRST;

-- stored_bytes: how long all streams are; how large one book is cannot be told
SELECT coalesce(sum(size), 0), NULL FROM palaver_n.streams WHERE book = palaver_n.book();

-- count_conversations: how many there are
SELECT count(*) FROM palaver_n.conversations WHERE book = palaver_n.book();

-- every_message: all messages, some at a time, to verify them
SELECT s.name,
    m.place, m.stream, m.id, m.role, m.content, m.timestamp, m.turn_number, m.status,
    m.supersedes, m.reply_to, m.channel, m.sender, m.author, m.model, m.parts, m.thinking_text,
    m.usage, m.cost, m.tool_calls, m.suggested_values, m.suggested_actions, m.custom_payload,
    m.intent, m.action_name, m.job_refs, m.sources, m.key, m.hash
FROM palaver_n.messages AS m
LEFT JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = m.stream
WHERE m.book = palaver_n.book() AND m.place > %(after)s ORDER BY m.place LIMIT %(limit)s;

-- messages_of_stream: all messages of a stream
SELECT
    place, stream, id, role, content, timestamp, turn_number, status, supersedes, reply_to,
    channel, sender, author, model, parts, thinking_text, usage, cost, tool_calls,
    suggested_values, suggested_actions, custom_payload, intent, action_name, job_refs, sources,
    key, hash
FROM palaver_n.messages WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- delete_messages: all messages of a stream go
DELETE FROM palaver_n.messages WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- add_source: lines stand on messages
INSERT INTO palaver_n.sources (book, place, message_id, quoted)
SELECT palaver_n.book(), n.place, n.message_id, max(n.quoted)
FROM unnest(%s::bigint[], %s::text[], %s::bigint[]) AS n (place, message_id, quoted)
GROUP BY n.place, n.message_id
ON CONFLICT (book, place, message_hash)
DO UPDATE SET quoted = greatest(sources.quoted, excluded.quoted);

-- delete_source: some lines stand on nothing any more
DELETE FROM palaver_n.sources WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_sources: no line of a stream stands on anything any more
DELETE FROM palaver_n.sources WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- dependents: lines that go when a message goes
SELECT s.name, d.place, m.id
FROM (
    SELECT book, place, place >> 32 AS stream FROM palaver_n.sources
    WHERE book = palaver_n.book() AND message_hash = hashtextextended(%(id)s, 0)
        AND message_id = %(id)s AND quoted = 1
    OFFSET 0
) AS d
JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
LEFT JOIN palaver_n.messages AS m ON m.book = d.book AND m.place = d.place
ORDER BY d.place;

-- add_summary: what an event says in fewer words
INSERT INTO palaver_n.summaries (book, place, kind, text, through, made, sources, by, covers, marks, hash)
VALUES (palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (book, place) DO UPDATE SET (kind, text, through, made, sources, by, covers, marks, hash) = (
    excluded.kind, excluded.text, excluded.through, excluded.made, excluded.sources,
    excluded.by, excluded.covers, excluded.marks, excluded.hash
);

-- newest_summary: the last summary of a kind in a conversation
SELECT place, kind, text, through, made, sources, by, covers, marks, hash FROM palaver_n.summaries
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND kind = %(kind)s
ORDER BY place DESC LIMIT 1;

-- summaries_of_kind: every summary of a kind in a conversation
SELECT place, kind, text, through, made, sources, by, covers, marks, hash FROM palaver_n.summaries
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND kind = %(kind)s
ORDER BY place;

-- summaries_of_stream: all summaries of a stream
SELECT place, kind, text, through, made, sources, by, covers, marks, hash FROM palaver_n.summaries
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- found_summaries: those by which a stream is found: of each kind the last one
SELECT d.place, d.kind, d.text, d.through, d.made, d.sources, d.by, d.covers, d.marks, d.hash
FROM palaver_n.summaries AS d
WHERE d.book = palaver_n.book() AND d.place BETWEEN %(first)s AND %(last)s
    AND (d.kind = 'abbreviation' OR d.kind >= 'day_summary ' AND d.kind < 'day_summary!')
    AND NOT EXISTS (
        SELECT FROM palaver_n.summaries AS n
        WHERE n.book = d.book AND n.kind = d.kind AND n.place > d.place AND n.place <= %(last)s
    )
ORDER BY d.place;

-- newest_day_summaries: where the last summary of each day is, and how far it tells
SELECT d.place, d.kind, d.covers, d.hash FROM palaver_n.summaries AS d
WHERE d.book = palaver_n.book() AND d.place BETWEEN %(first)s AND %(last)s
    AND d.kind >= 'day_summary ' AND d.kind < 'day_summary!'
    AND NOT EXISTS (
        SELECT FROM palaver_n.summaries AS n
        WHERE n.book = d.book AND n.kind = d.kind AND n.place > d.place AND n.place <= %(last)s
    )
ORDER BY d.place;

-- summaries_citing: those that stand on one of some messages: of each kind the last one
SELECT d.place, d.kind, d.text, d.through, d.made, d.sources, d.by, d.covers, d.marks, d.hash
FROM palaver_n.summaries AS d
WHERE d.book = palaver_n.book()
    AND d.place IN (
        SELECT c.place FROM palaver_n.sources AS c
        WHERE c.book = palaver_n.book() AND c.place BETWEEN %(first)s AND %(last)s
            AND c.message_hash = ANY (ARRAY(
                SELECT hashtextextended(w, 0) FROM json_array_elements_text(%(ids)s::json) AS w
            ))
            AND c.message_id = ANY (ARRAY(SELECT json_array_elements_text(%(ids)s::json)))
    )
    AND NOT EXISTS (
        SELECT FROM palaver_n.summaries AS n
        WHERE n.book = d.book AND n.kind = d.kind AND n.place > d.place AND n.place <= %(last)s
    )
ORDER BY d.place;

-- every_summary: all summaries, some at a time, to verify them
SELECT s.name, d.place, d.kind, d.text, d.through, d.made, d.sources, d.by, d.covers,
    d.marks, d.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.summaries
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS d
LEFT JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
ORDER BY d.place;

-- delete_summary: the events that hold some summaries are erased
DELETE FROM palaver_n.summaries WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- kinds_going: of what kinds those summaries are that go: in some places, or on some messages
SELECT kind FROM palaver_n.summaries
WHERE book = palaver_n.book() AND place = ANY (ARRAY(
    SELECT w::bigint FROM json_array_elements_text(%(places)s::json) AS w
))
UNION
SELECT kind FROM palaver_n.summaries
WHERE book = palaver_n.book() AND place = ANY (ARRAY(
    SELECT c.place FROM palaver_n.sources AS c
    WHERE c.book = palaver_n.book() AND c.place BETWEEN %(first)s AND %(last)s
        AND c.message_hash = ANY (ARRAY(
            SELECT hashtextextended(w, 0) FROM json_array_elements_text(%(ids)s::json) AS w
        ))
        AND c.message_id = ANY (ARRAY(SELECT json_array_elements_text(%(ids)s::json)))
));

-- outdate_summaries: a message has changed that these stand on
DELETE FROM palaver_n.summaries
WHERE book = palaver_n.book() AND place IN (
    SELECT place FROM palaver_n.sources
    WHERE book = palaver_n.book()
        AND message_hash = hashtextextended(%(id)s, 0)
        AND message_id = %(id)s AND place BETWEEN %(first)s AND %(last)s
);

-- delete_summaries: all summaries of a stream go
DELETE FROM palaver_n.summaries WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- add_day: a day begins, or is done
INSERT INTO palaver_n.days (book, place, kind, label, id, zone, turn, at, hash)
VALUES (palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (book, place) DO UPDATE SET (kind, label, id, zone, turn, at, hash) = (
    excluded.kind, excluded.label, excluded.id, excluded.zone, excluded.turn, excluded.at,
    excluded.hash
);

-- days_before: days of a conversation before a label, the newest first
SELECT place, kind, label, id, zone, turn, at, hash FROM palaver_n.days
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s
    AND kind = 'opened' AND label < %(label)s
ORDER BY place DESC LIMIT %(limit)s;

-- days_from: days of a conversation from a label on, the oldest first
SELECT place, kind, label, id, zone, turn, at, hash FROM palaver_n.days
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s
    AND kind = 'opened' AND label >= %(label)s
ORDER BY place LIMIT %(limit)s;

-- day_of_turn: the day that a turn belongs to
SELECT place, kind, label, id, zone, turn, at, hash FROM palaver_n.days
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s
    AND kind = 'opened' AND turn <= %(turn)s
ORDER BY place DESC LIMIT 1;

-- day_of_id: the day with an id
SELECT place, kind, label, id, zone, turn, at, hash FROM palaver_n.days
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s
    AND kind = 'opened' AND id = %(id)s
ORDER BY place LIMIT 1;

-- closed_days: those of some days that are done, by their labels
SELECT label FROM palaver_n.days
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND kind = 'closed'
    AND label = ANY (ARRAY(SELECT json_array_elements_text(%(labels)s::json)));

-- untold_days: days with something of which their last summary, if there is one, does not tell
SELECT d.place, d.kind, d.label, d.id, d.zone, d.turn, d.at, d.hash
FROM (
    SELECT *, place >> 32 AS stream, lead(turn) OVER (ORDER BY place) AS next_turn
    FROM palaver_n.days
    WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND kind = 'opened'
) AS d
LEFT JOIN LATERAL (
    SELECT covers FROM palaver_n.summaries
    WHERE book = palaver_n.book() AND kind = 'day_summary ' || d.label
        AND place BETWEEN %(first)s AND %(last)s
    ORDER BY place DESC LIMIT 1
) AS s ON true
WHERE d.book = palaver_n.book()
    AND EXISTS (
        SELECT FROM palaver_n.messages AS m
        WHERE m.book = d.book AND m.stream = d.stream
            AND m.turn_number >= d.turn AND m.turn_number < d.next_turn
            AND m.place & 4294967295 > coalesce(s.covers, -1)
            AND m.role IN ('user', 'assistant')
            AND m.status NOT IN ('superseded', 'redacted', 'failed', 'streaming')
    )
ORDER BY d.place LIMIT %(limit)s;

-- said_in_turns: how many messages were said in some spans of turns
SELECT w.key, count(m.place)
FROM json_to_recordset(%(spans)s::json) AS w (key bigint, first bigint, last bigint)
JOIN palaver_n.messages AS m ON m.turn_number BETWEEN w.first AND w.last
WHERE m.book = palaver_n.book() AND m.stream = %(stream)s
    AND m.role IN ('user', 'assistant') AND m.status NOT IN ('superseded', 'redacted')
GROUP BY w.key;

-- days_of_stream: all that marks the days of a stream
SELECT place, kind, label, id, zone, turn, at, hash FROM palaver_n.days
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- every_day: the same, some at a time, to verify it
SELECT s.name, d.place, d.kind, d.label, d.id, d.zone, d.turn, d.at, d.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.days
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS d
LEFT JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
ORDER BY d.place;

-- delete_day: the events that mark some days are erased
DELETE FROM palaver_n.days WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_days: all days of a stream go
DELETE FROM palaver_n.days WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- add_preference: what the user has chosen
INSERT INTO palaver_n.preferences (book, place, name, value, since, hash)
VALUES (palaver_n.book(), %s, %s, %s, %s, %s)
ON CONFLICT (book, place) DO UPDATE SET (name, value, since, hash) = (
    excluded.name, excluded.value, excluded.since, excluded.hash
);

-- preferences: what the user has chosen last, by name
SELECT DISTINCT ON (name) place, name, value, since, hash FROM palaver_n.preferences
WHERE book = palaver_n.book() ORDER BY name, place DESC;

-- preferences_of_stream: all that the user has ever chosen
SELECT place, name, value, since, hash FROM palaver_n.preferences
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- every_preference: the same, some at a time, to verify them
SELECT s.name, d.place, d.name, d.value, d.since, d.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.preferences
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS d
LEFT JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
ORDER BY d.place;

-- delete_preference: the events that hold some preferences are erased
DELETE FROM palaver_n.preferences WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_preferences: all preferences of a stream go
DELETE FROM palaver_n.preferences
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- add_memory: what is remembered of something from now on
INSERT INTO palaver_n.memories (
    book, place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash, newest
) VALUES (
    palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
    %s, %s, 1
)
ON CONFLICT (book, place) DO NOTHING;

-- outdate_memory: what was remembered of something before
UPDATE palaver_n.memories SET newest = 0
WHERE book = palaver_n.book() AND id = %(id)s AND place < %(place)s AND newest + 0 = 1;

-- settle_memories: after lines about some memories went, of each the last one that is left counts
UPDATE palaver_n.memories SET newest = 1
WHERE book = palaver_n.book() AND newest = 0 AND place = ANY (ARRAY(
    SELECT max(m.place)
    FROM (SELECT value AS wanted FROM json_array_elements_text(%s::json) OFFSET 0) AS w
    JOIN palaver_n.memories AS m ON m.id = w.wanted
    WHERE m.book = palaver_n.book() GROUP BY m.id HAVING max(m.newest) = 0
));

-- list_memories: a page of memories, newest first
SELECT
    place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash
FROM palaver_n.memories
WHERE book = palaver_n.book() AND newest = 1
    AND (%(state)s::text IS NULL OR state = %(state)s)
    AND (%(type)s::text IS NULL OR type = %(type)s)
    AND (%(category)s::text IS NULL OR category = %(category)s)
    AND (%(pinned)s::bigint IS NULL OR pinned = %(pinned)s)
    AND (%(archived)s::bigint IS NULL OR archived = %(archived)s)
    AND (
        %(superseded)s::bigint IS NULL OR %(superseded)s = 0 AND superseded_by IS NULL
        OR %(superseded)s = 1 AND superseded_by IS NOT NULL
    )
    AND (%(conversation)s::text IS NULL OR conversation_id = %(conversation)s)
    AND (%(successor)s::text IS NULL OR superseded_by = %(successor)s)
    AND (updated, id) < (%(updated)s, %(id)s)
ORDER BY updated DESC, id DESC LIMIT %(limit)s;

-- pinned_memories: a page of memories that are pinned, newest first
SELECT
    place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash
FROM palaver_n.memories
WHERE book = palaver_n.book() AND newest = 1 AND pinned = 1
    AND (%(state)s::text IS NULL OR state = %(state)s)
    AND (%(type)s::text IS NULL OR type = %(type)s)
    AND (%(category)s::text IS NULL OR category = %(category)s)
    AND (%(archived)s::bigint IS NULL OR archived = %(archived)s)
    AND (
        %(superseded)s::bigint IS NULL OR %(superseded)s = 0 AND superseded_by IS NULL
        OR %(superseded)s = 1 AND superseded_by IS NOT NULL
    )
    AND (%(conversation)s::text IS NULL OR conversation_id = %(conversation)s)
    AND (%(successor)s::text IS NULL OR superseded_by = %(successor)s)
    AND (updated, id) < (%(updated)s, %(id)s)
ORDER BY updated DESC, id DESC LIMIT %(limit)s;

-- some_memories: memories by their ids
SELECT
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM (SELECT value AS wanted FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.memories AS m ON m.id = w.wanted
WHERE m.book = palaver_n.book() AND m.newest + 0 = 1;

-- memories_in: memories by the places of the lines about them
SELECT
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM (SELECT value::bigint AS place FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.memories AS m ON m.place = w.place
WHERE m.book = palaver_n.book();

-- lines_of_memories: every line about some memories, the oldest first
SELECT
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM (SELECT value AS wanted FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.memories AS m ON m.id = w.wanted
WHERE m.book = palaver_n.book() ORDER BY m.place;

-- count_memories: how many lines tell of memories
SELECT count(*) FROM palaver_n.memories WHERE book = palaver_n.book();

-- memories_after: what lines tell of memories after a place, and which of them count
SELECT place, id, newest, state, type, pinned, archived, (superseded_by IS NOT NULL)::int
FROM palaver_n.memories WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place;

-- counting_memories: the lines about memories that count
SELECT place, id, newest, state, type, pinned, archived, (superseded_by IS NOT NULL)::int
FROM palaver_n.memories WHERE book = palaver_n.book() AND newest = 1;

-- last_memory: the place of the last line about a memory
SELECT max(place) FROM palaver_n.memories WHERE book = palaver_n.book();

-- remembered: the memories in some places, with their streams
SELECT s.name,
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM (
    SELECT value::bigint AS place, value::bigint >> 32 AS stream
    FROM json_array_elements_text(%s::json) OFFSET 0
) AS w
JOIN palaver_n.memories AS m ON m.place = w.place
JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = w.stream
WHERE m.book = palaver_n.book();

-- memories_of_stream: every line of a stream that tells of a memory
SELECT
    place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash
FROM palaver_n.memories
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s ORDER BY place;

-- every_memory: the same, some at a time, to verify them
SELECT s.name,
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.memories
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS m
LEFT JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = m.stream
ORDER BY m.place;

-- miscounted_memories: memories of which not the last line counts, or more than that one
SELECT id FROM palaver_n.memories WHERE book = palaver_n.book() GROUP BY id
HAVING sum(newest) <> 1 OR max(place) <> max(CASE WHEN newest = 1 THEN place ELSE -1 END);

-- delete_memory: the events that hold some memories are erased
DELETE FROM palaver_n.memories WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_memories: all that a stream tells of memories goes
DELETE FROM palaver_n.memories
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- add_use: replies were made with memories
INSERT INTO palaver_n.uses (book, place, memory_id, at)
SELECT palaver_n.book(), * FROM unnest(%s::bigint[], %s::text[], %s::text[])
ON CONFLICT DO NOTHING;

-- uses: how many replies were made with some memories, and when the last
SELECT u.memory_id, count(*), max(u.at)
FROM (SELECT value AS wanted FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.uses AS u ON u.memory_id = w.wanted
WHERE u.book = palaver_n.book() GROUP BY 1;

-- delete_use: some replies are erased
DELETE FROM palaver_n.uses WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_uses: all replies of a stream go
DELETE FROM palaver_n.uses
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- add_oblivion: some things are not to be learned again
INSERT INTO palaver_n.oblivion (book, place, salt, digest)
SELECT palaver_n.book(), * FROM unnest(%s::bigint[], %s::text[], %s::text[])
ON CONFLICT DO NOTHING;

-- delete_oblivion: the events that say what is not to be learned again are erased
DELETE FROM palaver_n.oblivion WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- salts: with what the hashes of forgotten things are salted
WITH RECURSIVE found (salt) AS (
    SELECT min(salt) FROM palaver_n.oblivion WHERE book = palaver_n.book()
    UNION ALL
    SELECT (
        SELECT min(o.salt) FROM palaver_n.oblivion AS o
        WHERE o.book = palaver_n.book() AND o.salt > found.salt
    ) FROM found WHERE found.salt IS NOT NULL
)
SELECT salt FROM found WHERE salt IS NOT NULL;

-- forgotten: which of some hashes are those of forgotten things
SELECT DISTINCT o.digest
FROM (SELECT value AS wanted FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.oblivion AS o ON o.digest = w.wanted
WHERE o.book = palaver_n.book();

-- delete_oblivions: all that a stream tells of forgotten things goes
DELETE FROM palaver_n.oblivion
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- put_delivery: how far something has come that is sent
INSERT INTO palaver_n.deliveries (
    book, place, id, pos, channel, target, updated, state, part, parts, attempts, due, code,
    message, remedy, hash
) VALUES (
    palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s
)
ON CONFLICT (book, place) DO UPDATE SET (
    id, pos, channel, target, updated, state, part, parts, attempts, due, code, message, remedy,
    hash
) = (
    excluded.id, excluded.pos, excluded.channel, excluded.target, excluded.updated,
    excluded.state, excluded.part, excluded.parts, excluded.attempts, excluded.due,
    excluded.code, excluded.message, excluded.remedy, excluded.hash
);

-- delivery_by_id: the first line of a stream that has this id and is sent
SELECT
    place, id, pos, channel, target, updated, state, part, parts, attempts, due, code, message,
    remedy, hash
FROM palaver_n.deliveries
WHERE book = palaver_n.book() AND id_hash = hashtextextended(%(id)s, 0) AND id = %(id)s
    AND place BETWEEN %(first)s AND %(last)s
ORDER BY place LIMIT 1;

-- deliveries_by_id: the same in all streams, of some ids
SELECT s.name,
    d.place, d.id, d.pos, d.channel, d.target, d.updated, d.state, d.part, d.parts, d.attempts,
    d.due, d.code, d.message, d.remedy, d.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.deliveries
    WHERE book = palaver_n.book()
        AND id_hash = ANY (ARRAY(
            SELECT hashtextextended(w, 0) FROM json_array_elements_text(%(ids)s::json) AS w
        ))
        AND id = ANY (ARRAY(SELECT json_array_elements_text(%(ids)s::json)))
    OFFSET 0
) AS d
JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
WHERE %(stream)s::text IS NULL OR s.name = %(stream)s
ORDER BY d.place;

-- outbox: what is to be sent next to each place, the oldest first; what is tried later comes last
SELECT s.name,
    d.place, d.id, d.pos, d.channel, d.target, d.updated, d.state, d.part, d.parts, d.attempts,
    d.due, d.code, d.message, d.remedy, d.hash
FROM (
    SELECT DISTINCT ON (channel, target) *, place >> 32 AS stream FROM palaver_n.deliveries
    WHERE book = palaver_n.book() AND state IN ('waiting', 'sending')
    ORDER BY channel, target, pos, place
) AS d
JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
ORDER BY d.due IS NOT NULL, d.due, d.pos, d.place LIMIT %(limit)s;

-- deliveries_of_stream: what of a stream is sent
SELECT
    place, id, pos, channel, target, updated, state, part, parts, attempts, due, code, message,
    remedy, hash
FROM palaver_n.deliveries
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- every_delivery: the same, some at a time, to verify it
SELECT s.name,
    d.place, d.id, d.pos, d.channel, d.target, d.updated, d.state, d.part, d.parts, d.attempts,
    d.due, d.code, d.message, d.remedy, d.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.deliveries
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS d
LEFT JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
ORDER BY d.place;

-- delete_delivery: some lines that are sent are erased
DELETE FROM palaver_n.deliveries WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_deliveries: nothing of a stream is sent any more
DELETE FROM palaver_n.deliveries
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- put_external: the row of an exchange with an outsider, new or changed
INSERT INTO palaver_n.externals (
    book, id, channel, party, name, trust, policy, scope, created, said, message_count,
    last_text, last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
) VALUES (
    palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s
)
ON CONFLICT (book, id) DO UPDATE SET (
    channel, party, name, trust, policy, scope, created, said, message_count, last_text, last_by,
    last_id, drafts, escalated, acknowledged, begun, folded, hash
) = (
    excluded.channel, excluded.party, excluded.name, excluded.trust, excluded.policy,
    excluded.scope, excluded.created, excluded.said, excluded.message_count, excluded.last_text,
    excluded.last_by, excluded.last_id, excluded.drafts, excluded.escalated,
    excluded.acknowledged, excluded.begun, excluded.folded, excluded.hash
);

-- external: one exchange with an outsider
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM palaver_n.externals WHERE book = palaver_n.book() AND id = %s;

-- external_of: the exchange with somebody
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM palaver_n.externals
WHERE book = palaver_n.book() AND party_hash = hashtextextended(%(party)s, 0)
    AND party = %(party)s AND channel = %(channel)s
ORDER BY updated DESC, id DESC LIMIT 1;

-- list_externals: a page of exchanges with outsiders, newest first
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM palaver_n.externals
WHERE book = palaver_n.book()
    AND (updated, id) < (%(updated)s, %(id)s)
    AND (%(channel)s::text IS NULL OR channel = %(channel)s)
    AND (%(trust)s::text IS NULL OR trust = %(trust)s)
    AND (%(words)s::text IS NULL OR strpos(folded, %(words)s) > 0)
ORDER BY updated DESC, id DESC LIMIT %(limit)s;

-- every_external: all exchanges with outsiders, to verify them
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM palaver_n.externals WHERE book = palaver_n.book();

-- delete_external: the row of an exchange with an outsider goes
DELETE FROM palaver_n.externals WHERE book = palaver_n.book() AND id = %(id)s;

-- some_externals: exchanges with outsiders by their ids
SELECT
    e.id, e.channel, e.party, e.name, e.trust, e.policy, e.scope, e.created, e.said,
    e.message_count, e.last_text, e.last_by, e.last_id, e.drafts, e.escalated, e.acknowledged,
    e.begun, e.folded, e.hash
FROM json_array_elements_text(%s::json) AS w (id)
JOIN palaver_n.externals AS e ON e.id = w.id
WHERE e.book = palaver_n.book();

-- externals_of_channel: the exchanges on a channel, by the numbers of their streams
SELECT s.no FROM palaver_n.externals AS e
JOIN palaver_n.streams AS s ON s.book = e.book AND s.name = e.id
WHERE e.book = palaver_n.book() AND e.channel = %s;

-- add_external_message: a message of an exchange with an outsider
INSERT INTO palaver_n.external_messages (
    book, place, id, by, taken, sender, grade, content, hash, language
) VALUES (palaver_n.book(), %s, %s, %s, %s, %s, %s, %s, %s, %s);

-- add_external_word: where terms occur in a message of an exchange
INSERT INTO palaver_n.external_words (book, term, place, start, finish, length, count)
SELECT palaver_n.book(), * FROM unnest(
    %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[]
);

-- external_message_by_id: the first message of an exchange that has this id
SELECT place, id, by, taken, sender, grade, content, hash FROM palaver_n.external_messages
WHERE book = palaver_n.book() AND id_hash = hashtextextended(%(id)s, 0) AND id = %(id)s
    AND place BETWEEN %(first)s AND %(last)s
ORDER BY place LIMIT 1;

-- external_messages_of_stream: the messages of an exchange
SELECT place, id, by, taken, sender, grade, content, hash FROM palaver_n.external_messages
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- external_messages_of_lines: the same by their streams and the numbers of their lines
SELECT s.name, m.place, m.id, m.by, m.taken, m.sender, m.grade, m.content, m.hash
FROM (
    SELECT s.book, s.name, (s.no << 32) + w.seq AS place
    FROM json_to_recordset(%s::json) AS w (name text, seq bigint)
    JOIN palaver_n.streams AS s ON s.name = w.name
    WHERE s.book = palaver_n.book()
    OFFSET 0
) AS s
JOIN palaver_n.external_messages AS m ON m.book = s.book AND m.place = s.place
WHERE m.book = palaver_n.book();

-- every_external_message: the same, some at a time, to verify them
SELECT s.name, m.place, m.id, m.by, m.taken, m.sender, m.grade, m.content, m.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.external_messages
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS m
LEFT JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = m.stream
ORDER BY m.place;

-- external_contents: what some of them say, and in which language
SELECT place, content, language FROM palaver_n.external_messages
WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s;

-- external_languages: in which languages outsiders wrote, and how many messages of each
SELECT language, count(*) FROM palaver_n.external_messages
WHERE book = palaver_n.book() GROUP BY language ORDER BY 2 DESC, 1;

-- external_taken: the messages of exchanges from a time on and before another, newest first
SELECT place, taken FROM palaver_n.external_messages
WHERE book = palaver_n.book() AND taken >= %(since)s AND taken < %(until)s
ORDER BY taken DESC, place DESC;

-- external_words: where some terms occur in the messages of exchanges
SELECT w.term, w.place, w.start, w.finish, w.length, w.count, m.taken, m.language
FROM (SELECT value AS term FROM json_array_elements_text(%s::json) OFFSET 0) AS t
JOIN palaver_n.external_words AS w ON w.term = t.term
JOIN palaver_n.external_messages AS m ON m.book = w.book AND m.place = w.place
WHERE w.book = palaver_n.book();

-- external_words_between: all words of exchanges after a place and up to another, to verify them
SELECT term, place, start, finish, length, count FROM palaver_n.external_words
WHERE book = palaver_n.book() AND place > %(after)s AND place <= %(last)s;

-- delete_external_message: messages of an exchange are taken back, or say something else
DELETE FROM palaver_n.external_messages
WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_external_messages: all messages of an exchange go
DELETE FROM palaver_n.external_messages
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- delete_external_word: the words of messages of an exchange go
DELETE FROM palaver_n.external_words
WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- delete_external_words: the words of all messages of an exchange go
DELETE FROM palaver_n.external_words
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- newest_state: the state of a conversation that covers most
SELECT place, text, hash FROM palaver_n.states
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND version = %(version)s
ORDER BY place DESC LIMIT 1;

-- state_at: what the state in a place is, told by its hash
SELECT hash FROM palaver_n.states
WHERE book = palaver_n.book() AND place = %(place)s AND version = %(version)s;

-- hashes_within: what some messages of a conversation are, told by their hashes
SELECT hash FROM palaver_n.messages
WHERE book = palaver_n.book() AND place > %(after)s AND place <= %(last)s AND status <> 'superseded'
ORDER BY place;

-- put_state: the state of a conversation up to a place
INSERT INTO palaver_n.states (book, place, version, text, hash)
VALUES (palaver_n.book(), %s, %s, %s, %s)
ON CONFLICT (book, place, version) DO UPDATE SET (text, hash) = (excluded.text, excluded.hash);

-- places_of_states: up to where there are states of a conversation
SELECT place FROM palaver_n.states
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND version = %(version)s
ORDER BY place;

-- drop_state: a state that is too near to others goes
DELETE FROM palaver_n.states
WHERE book = palaver_n.book() AND place = %(place)s AND version = %(version)s;

-- drop_older_states: the states that an older program has folded go
DELETE FROM palaver_n.states
WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s AND version < %(version)s;

-- forget_states: something has changed that these states cover
DELETE FROM palaver_n.states WHERE book = palaver_n.book() AND place BETWEEN %(first)s AND %(last)s;

-- every_state: all states, some at a time, to verify them
SELECT s.name, d.place, d.version, d.text, d.hash
FROM (
    SELECT *, place >> 32 AS stream FROM palaver_n.states
    WHERE book = palaver_n.book() AND place > %(after)s ORDER BY place LIMIT %(limit)s
) AS d
LEFT JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
ORDER BY d.place;

-- wait: the words of some messages wait to be taken into a segment
INSERT INTO palaver_n.waiting (book, place) SELECT palaver_n.book(), unnest(%s::bigint[]);

-- measure_waiting: how many messages and abbreviations wait, and how many bytes they say
SELECT count(*),
    coalesce(sum(coalesce(octet_length(m.content), octet_length(d.text))), 0)::bigint
FROM palaver_n.waiting AS w
LEFT JOIN palaver_n.messages AS m ON m.book = w.book AND m.place = w.place
LEFT JOIN palaver_n.summaries AS d ON m.place IS NULL AND d.book = w.book AND d.place = w.place
WHERE w.book = palaver_n.book();

-- waiting: which messages and abbreviations wait, what they are now, and how many bytes they say
SELECT w.place, m.hash, octet_length(m.content)
FROM palaver_n.waiting AS w JOIN palaver_n.messages AS m ON m.book = w.book AND m.place = w.place
WHERE w.book = palaver_n.book()
UNION ALL
SELECT w.place, d.hash, octet_length(d.text)
FROM palaver_n.waiting AS w JOIN palaver_n.summaries AS d ON d.book = w.book AND d.place = w.place
WHERE w.book = palaver_n.book();

-- longest_waiting: some of those that wait, whatever they say, and how many bytes they say
SELECT w.place, m.hash, octet_length(m.content)
FROM palaver_n.waiting AS w JOIN palaver_n.messages AS m ON m.book = w.book AND m.place = w.place
WHERE w.book = palaver_n.book()
UNION ALL
SELECT w.place, d.hash, octet_length(d.text)
FROM palaver_n.waiting AS w JOIN palaver_n.summaries AS d ON d.book = w.book AND d.place = w.place
WHERE w.book = palaver_n.book()
ORDER BY 1 LIMIT %(some)s;

-- still_waiting: which of some messages and abbreviations wait, and what they are now
WITH wanted AS (SELECT value::bigint AS place FROM json_array_elements_text(%(places)s::json))
SELECT w.place, m.hash
FROM palaver_n.waiting AS w JOIN palaver_n.messages AS m ON m.book = w.book AND m.place = w.place
WHERE w.book = palaver_n.book() AND w.place IN (SELECT place FROM wanted)
UNION ALL
SELECT w.place, d.hash
FROM palaver_n.waiting AS w JOIN palaver_n.summaries AS d ON d.book = w.book AND d.place = w.place
WHERE w.book = palaver_n.book() AND w.place IN (SELECT place FROM wanted);

-- has_waited: the words of a message are not wanted any more, if they waited
DELETE FROM palaver_n.waiting WHERE book = palaver_n.book() AND place = %s;

-- stop_waiting: the words of some messages are taken
DELETE FROM palaver_n.waiting WHERE book = palaver_n.book() AND place = ANY (%s::bigint[]);

-- said: the messages in some places, with their conversations
SELECT s.name,
    m.place, m.stream, m.id, m.role, m.content, m.timestamp, m.turn_number, m.status,
    m.supersedes, m.reply_to, m.channel, m.sender, m.author, m.model, m.parts, m.thinking_text,
    m.usage, m.cost, m.tool_calls, m.suggested_values, m.suggested_actions, m.custom_payload,
    m.intent, m.action_name, m.job_refs, m.sources, m.key, m.hash
FROM (SELECT value::bigint AS place FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.messages AS m ON m.place = w.place
JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = m.stream
WHERE m.book = palaver_n.book();

-- told: the abbreviations in some places, with their conversations
SELECT s.name, d.place, d.kind, d.text, d.through, d.made, d.sources, d.by, d.covers,
    d.marks, d.hash
FROM (
    SELECT value::bigint AS place, value::bigint >> 32 AS stream
    FROM json_array_elements_text(%s::json) OFFSET 0
) AS w
JOIN palaver_n.summaries AS d ON d.place = w.place
JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = w.stream
WHERE d.book = palaver_n.book();

-- segments: which segments there are
SELECT no, stamp, pieces FROM palaver_n.segments WHERE book = palaver_n.book() ORDER BY no;

-- columns: what is known of the pieces of a segment
SELECT pieces, columns, digest, hash FROM palaver_n.segments
WHERE book = palaver_n.book() AND no = %s AND stamp = %s;

-- segment: all that is known of a segment
SELECT pieces, columns, digest, hash FROM palaver_n.segments WHERE book = palaver_n.book() AND no = %s;

-- put_segment: a segment, new or changed
INSERT INTO palaver_n.segments (book, no, stamp, pieces, columns, digest, hash)
VALUES (palaver_n.book(), %(no)s, %(stamp)s, %(pieces)s, %(columns)s, %(digest)s, %(hash)s)
ON CONFLICT (book, no) DO UPDATE SET (stamp, pieces, columns, digest, hash)
    = (excluded.stamp, excluded.pieces, excluded.columns, excluded.digest, excluded.hash);

-- drop_segment: a segment goes; its postings follow
DELETE FROM palaver_n.segments WHERE book = palaver_n.book() AND no = %s;

-- put_posting: where some terms occur in segments
INSERT INTO palaver_n.postings (book, segment, term, pieces, counts)
SELECT palaver_n.book(), n.*
FROM unnest(%s::bigint[], %s::text[], %s::bytea[], %s::bytea[]) AS n
ON CONFLICT (book, segment, term)
DO UPDATE SET (pieces, counts) = (excluded.pieces, excluded.counts);

-- posting: where a term occurs in a segment
SELECT pieces, counts FROM palaver_n.postings WHERE book = palaver_n.book() AND segment = %s AND term = %s;

-- drop_posting: a term occurs nowhere in a segment any more
DELETE FROM palaver_n.postings WHERE book = palaver_n.book() AND segment = %s AND term = %s;

-- find_postings: where some terms occur, in every segment
SELECT s.no, p.term, p.pieces, p.counts
FROM palaver_n.segments AS s
JOIN palaver_n.postings AS p ON p.book = s.book AND p.segment = s.no
WHERE s.book = palaver_n.book()
    AND p.term = ANY (ARRAY(SELECT json_array_elements_text(%(terms)s::json)));

-- find_some_postings: where some terms occur, in some segments
SELECT p.segment, p.term, p.pieces, p.counts
FROM palaver_n.postings AS p
WHERE p.book = palaver_n.book()
    AND p.segment = ANY (ARRAY(SELECT json_array_elements_text(%(segments)s::json)::bigint))
    AND p.term = ANY (ARRAY(SELECT json_array_elements_text(%(terms)s::json)));

-- some_postings: the terms of a segment after one of them, in order
SELECT term, pieces, counts FROM palaver_n.postings
WHERE book = palaver_n.book() AND segment = %s AND term > %s ORDER BY term LIMIT %s;

-- count_postings: how many terms a segment has
SELECT count(*) FROM palaver_n.postings WHERE book = palaver_n.book() AND segment = %s;

-- next_with_postings: the first segment after one that has rows, whether it is there or not
SELECT min(segment) FROM palaver_n.postings WHERE book = palaver_n.book() AND segment > %s;

-- drop_postings: some rows of a segment that is not there
DELETE FROM palaver_n.postings WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.postings WHERE book = palaver_n.book() AND segment = %(segment)s LIMIT %(some)s
));

-- some_said: what messages say that are in a segment, in order
SELECT s.name,
    m.place, m.stream, m.id, m.role, m.content, m.timestamp, m.turn_number, m.status,
    m.supersedes, m.reply_to, m.channel, m.sender, m.author, m.model, m.parts, m.thinking_text,
    m.usage, m.cost, m.tool_calls, m.suggested_values, m.suggested_actions, m.custom_payload,
    m.intent, m.action_name, m.job_refs, m.sources, m.key, m.hash
FROM palaver_n.messages AS m
JOIN palaver_n.streams AS s ON s.book = m.book AND s.no = m.stream
WHERE m.book = palaver_n.book()
    AND m.role IN ('user', 'assistant', 'tool')
    AND m.status NOT IN ('superseded', 'redacted', 'failed')
    AND m.place > %(after)s
    AND NOT EXISTS (
        SELECT FROM palaver_n.waiting AS w WHERE w.book = m.book AND w.place = m.place
    )
ORDER BY m.place LIMIT %(limit)s;

-- all_told: the last abbreviations of conversations that are in a segment, in some places
SELECT s.name, d.place, d.kind, d.text, d.through, d.made, d.sources, d.by, d.covers,
    d.marks, d.hash
FROM (
    SELECT *, place >> 32 AS stream, ((place >> 32) + 1) << 32 AS ending FROM palaver_n.summaries
    WHERE book = palaver_n.book()
        AND (kind = 'abbreviation' OR kind >= 'day_summary ' AND kind < 'day_summary!')
        AND place > %(after)s AND place <= %(last)s
    OFFSET 0
) AS d
JOIN palaver_n.streams AS s ON s.book = d.book AND s.no = d.stream
WHERE NOT EXISTS (
        SELECT FROM palaver_n.waiting AS w WHERE w.book = d.book AND w.place = d.place
    )
    AND NOT EXISTS (
        SELECT FROM palaver_n.summaries AS n
        WHERE n.book = d.book AND n.kind = d.kind
            AND n.place > d.place AND n.place < d.ending
    );

-- streams_of_channel: the conversations of a channel, by number
SELECT s.no FROM palaver_n.streams AS s
JOIN palaver_n.conversations AS c ON c.book = s.book AND c.id = s.name
WHERE s.book = palaver_n.book() AND c.channel = %s;

-- names_of_streams: the conversations that have some numbers
SELECT s.no, s.name
FROM (SELECT value::bigint AS no FROM json_array_elements_text(%s::json) OFFSET 0) AS w
JOIN palaver_n.streams AS s ON s.no = w.no
WHERE s.book = palaver_n.book();

-- carry_stream: a rebuild keeps what was applied of a stream that has lost its lines
UPDATE palaver_n.streams SET size = %(size)s, lines = %(lines)s, state = 'lost'
WHERE book = palaver_n.book() AND no = %(no)s;

-- carry_sources: and what its lines stand on
INSERT INTO palaver_n.sources (book, place, message_id, quoted)
SELECT palaver_n.new_book(), place + ((%(new)s::bigint - %(old)s::bigint) << 32), message_id, quoted
FROM palaver_n.sources
WHERE book = palaver_n.book() AND place BETWEEN %(old)s::bigint << 32 AND (%(old)s::bigint << 32) + 4294967295
ON CONFLICT (book, place, message_hash) DO NOTHING;

-- carry_uses: with which memories its replies were made
INSERT INTO palaver_n.uses (book, place, memory_id, at)
SELECT palaver_n.new_book(), place + ((%(new)s::bigint - %(old)s::bigint) << 32), memory_id, at
FROM palaver_n.uses
WHERE book = palaver_n.book() AND place BETWEEN %(old)s::bigint << 32 AND (%(old)s::bigint << 32) + 4294967295
ON CONFLICT DO NOTHING;

-- carry_oblivion: what it says is not to be learned again
INSERT INTO palaver_n.oblivion (book, place, salt, digest)
SELECT palaver_n.new_book(), place + ((%(new)s::bigint - %(old)s::bigint) << 32), salt, digest
FROM palaver_n.oblivion
WHERE book = palaver_n.book() AND place BETWEEN %(old)s::bigint << 32 AND (%(old)s::bigint << 32) + 4294967295
ON CONFLICT DO NOTHING;

-- forget: what these pieces meant is to be erased, unless others say the same
INSERT INTO palaver_n.forgotten (owner, key) SELECT palaver.me(), unnest(%s::bytea[])
ON CONFLICT DO NOTHING;

-- empty_postings: some rows of a book that is not needed any more
DELETE FROM palaver_n.postings WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.postings WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_segments: some rows of a book that is not needed any more
DELETE FROM palaver_n.segments WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.segments WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_waiting: some rows of a book that is not needed any more
DELETE FROM palaver_n.waiting WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.waiting WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_messages: some rows of a book that is not needed any more
DELETE FROM palaver_n.messages WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.messages WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_conversations: some rows of a book that is not needed any more
DELETE FROM palaver_n.conversations WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.conversations WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_sources: some rows of a book that is not needed any more
DELETE FROM palaver_n.sources WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.sources WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_summaries: some rows of a book that is not needed any more
DELETE FROM palaver_n.summaries WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.summaries WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_days: some rows of a book that is not needed any more
DELETE FROM palaver_n.days WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.days WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_preferences: some rows of a book that is not needed any more
DELETE FROM palaver_n.preferences WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.preferences WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_memories: some rows of a book that is not needed any more
DELETE FROM palaver_n.memories WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.memories WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_uses: some rows of a book that is not needed any more
DELETE FROM palaver_n.uses WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.uses WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_oblivion: some rows of a book that is not needed any more
DELETE FROM palaver_n.oblivion WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.oblivion WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_deliveries: some rows of a book that is not needed any more
DELETE FROM palaver_n.deliveries WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.deliveries WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_externals: some rows of a book that is not needed any more
DELETE FROM palaver_n.externals WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.externals WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_external_messages: some rows of a book that is not needed any more
DELETE FROM palaver_n.external_messages WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.external_messages WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_external_words: some rows of a book that is not needed any more
DELETE FROM palaver_n.external_words WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.external_words WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_states: some rows of a book that is not needed any more
DELETE FROM palaver_n.states WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.states WHERE book = palaver_n.book() LIMIT %(some)s
));

-- empty_streams: some rows of a book that is not needed any more
DELETE FROM palaver_n.streams WHERE book = palaver_n.book() AND ctid = ANY (ARRAY(
    SELECT ctid FROM palaver_n.streams WHERE book = palaver_n.book() LIMIT %(some)s
));

-- lock: whether nobody else is at it, whatever it is; held until it is given back
SELECT pg_try_advisory_lock(hashtextextended(%s, 0));

-- unlock: gives it back
SELECT pg_advisory_unlock(hashtextextended(%s, 0));

-- schema_exists: whether the tables of a version are there
SELECT 1 FROM pg_namespace WHERE nspname = %s;

-- schema_lock: lets one node at a time make tables
SELECT pg_advisory_xact_lock(hashtextextended('palaver tables', 0));

-- use_version: says that a version is used, with all others who do, as long as the connection lasts
SELECT pg_advisory_lock_shared(hashtextextended('version ' || %s, 0));

-- other_versions: those of which there are tables
SELECT nspname::text FROM pg_namespace
WHERE nspname ~ '^palaver(_[0-9]+){3}$' AND nspname <> %s AND nspowner = current_user::regrole
    AND to_regclass(format('%%I.books', nspname)) IS NOT NULL;

-- take_version: whether nobody uses a version; then nobody begins to before the transaction ends
SELECT pg_try_advisory_xact_lock(hashtextextended('version ' || %s, 0));

-- drop_version: the tables of a version go
DROP SCHEMA {name} CASCADE;

-- to_keep: whose books are behind, or were stirred since they were kept in order
SELECT b.owner, b.stirred, u.name, u.pos
FROM palaver_n.books AS b
JOIN palaver.users AS u ON u.no = b.owner
LEFT JOIN palaver_n.kept AS k ON k.owner = b.owner AND k.kind = %(kind)s
WHERE b.complete = 1 AND u.pos > 0
    AND (k.stirred IS DISTINCT FROM b.stirred OR b.position < u.pos)
ORDER BY b.owner;

-- to_digest: what conversations in complete books are owed, of one user or of all, as in owed
SELECT u.no, u.name, c.id
FROM palaver_n.conversations AS c
JOIN palaver_n.books AS b ON b.live = c.book
JOIN palaver.users AS u ON u.no = b.owner
WHERE b.complete = 1 AND NOT u.copying
    AND (%(user)s::text IS NULL OR u.name = %(user)s)
    AND c.owing IS NOT NULL
    AND (c.owing, c.id) > (%(heard)s, %(id)s)
    AND (
        c.mode = 'standard' AND c.owing <= %(quiet_since)s AND (
            c.heard_seq > c.abbreviated_seq OR c.title IS NULL
            OR (%(stand_ins)s AND c.stands_in > 0)
        )
        OR c.mode = 'standard' AND c.turn_count >= %(turns)s AND c.delay <= %(lag)s AND (
            c.title IS NULL OR (%(stand_ins)s AND c.stands_in & 2 > 0)
        )
        OR c.mode = 'continuous' AND %(now)s <> '' AND (
            c.day_state::json ->> 'until' <= %(now)s
            OR c.day_state::json -> 'stale' IS NOT NULL
            OR json_array_length(c.day_state::json -> 'untold') >= %(untold)s
        )
    )
ORDER BY c.owing, c.id
LIMIT %(limit)s;

-- note_kept: a book was kept in order
INSERT INTO palaver_n.kept (owner, kind, stirred) VALUES (palaver.me(), %(kind)s, %(stirred)s)
ON CONFLICT (owner, kind) DO UPDATE SET stirred = excluded.stirred;

-- stir: something has come that others may have to keep, and nothing else since
UPDATE palaver_n.books SET stirred = stirred + 1
WHERE owner = palaver.me() AND stirred = %(stirred)s;

-- unnote_kept: it is as if it never had been
DELETE FROM palaver_n.kept WHERE owner = palaver.me() AND kind = %(kind)s;

-- to_make: whose books are not there, not complete, half made again, or asked to be made again
SELECT u.no, u.name, coalesce(k.stirred, 0)
FROM palaver.users AS u
LEFT JOIN palaver_n.books AS b ON b.owner = u.no
LEFT JOIN palaver_n.kept AS k ON k.owner = u.no AND k.kind = %(kind)s
WHERE u.pos > 0 AND NOT u.copying
    AND (b.owner IS NULL OR b.complete = 0 OR b.new IS NOT NULL OR k.owner IS NOT NULL)
ORDER BY u.no;

-- to_check: whose books were last checked before a night; those never seen before wait for the next
WITH seen AS (
    INSERT INTO palaver_n.kept (owner, kind, stirred)
    SELECT b.owner, %(kind)s, %(night)s FROM palaver_n.books AS b
    WHERE NOT EXISTS (
        SELECT FROM palaver_n.kept AS k WHERE k.owner = b.owner AND k.kind = %(kind)s
    )
    ON CONFLICT DO NOTHING
)
SELECT u.no, u.name, %(night)s::bigint
FROM palaver_n.kept AS k
JOIN palaver_n.books AS b ON b.owner = k.owner
JOIN palaver.users AS u ON u.no = k.owner
WHERE k.kind = %(kind)s AND k.stirred < %(night)s AND b.complete = 1
ORDER BY u.no;

-- has_forgotten: whether there are pieces that went, and may still have their vectors
SELECT 1 FROM palaver_n.forgotten WHERE owner = palaver.me() LIMIT 1;

-- take_forgotten: some pieces that went, and may still have their vectors; they are seen to now
DELETE FROM palaver_n.forgotten WHERE owner = palaver.me() AND key = ANY (ARRAY(
    SELECT key FROM palaver_n.forgotten WHERE owner = palaver.me() LIMIT %(some)s
))
RETURNING key;
