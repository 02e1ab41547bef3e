-- Table names stand in brackets, so that the same statements serve both sets of tables.

-- begin: reads see one state from here on
BEGIN;

-- begin_writing: nobody else writes from here on
BEGIN IMMEDIATE;

-- commit: all of it
COMMIT;

-- rollback: nothing of it
ROLLBACK;

-- version: which schema this is
PRAGMA user_version;

-- exists: whether there is a table of that name
SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = :name;

-- info: what is known of the index as a whole
SELECT position, complete, listed, erasures FROM info WHERE one = 1;

-- set_position: everything up to this position has been applied
UPDATE info SET position = ? WHERE one = 1;

-- set_listed: every conversation has a row, if only a sketch
UPDATE info SET listed = 1;

-- set_complete: every row is there
UPDATE info SET complete = 1, listed = 1, position = :position;

-- start_over: there are no rows to rely on
UPDATE info SET complete = 0, listed = 0;
DELETE FROM conversations;

-- count_erasure: whoever reads lines without the lock sees that some of them were erased meanwhile
UPDATE info SET erasures = erasures + 1;

-- has_residue: whether something was erased since pages were wiped
SELECT erasures <> wiped FROM info;

-- set_wiped: nothing is left of what was erased
UPDATE info SET wiped = erasures;

-- streams: what has been applied of every stream
SELECT name, no, size, lines, state FROM [streams];

-- whole: how long every stream is that is not deleted; a lost one has no length that it could have
SELECT name, iif(state = 'lost', -1, size) FROM [streams] WHERE state != 'deleted';

-- stream: what has been applied of one stream
SELECT no, size, lines, state FROM [streams] WHERE name = ?;

-- applied: the highest position that has been applied, if every row is there
SELECT position FROM info WHERE complete;

-- known_state: what has become of a stream, if every row is there
SELECT state FROM [streams] WHERE name = ? AND (SELECT complete FROM info);

-- lost_streams: streams that have lost lines on disk
SELECT name FROM [streams] WHERE state = 'lost' ORDER BY name;

-- add_stream: a stream of which nothing has been applied yet
INSERT INTO [streams] (name, size, lines, state) VALUES (?, 0, 0, 'whole') RETURNING no;

-- set_stream: how much of a stream has been applied
UPDATE [streams] SET size = ?, lines = ?, state = 'whole' WHERE no = ?;

-- set_state: what has become of a stream
UPDATE [streams] SET state = ? WHERE no = ?;

-- delete_stream_marks: a deleted stream keeps its name only
UPDATE [streams] SET state = 'deleted', size = 0, lines = 0 WHERE no = ?;

-- put_conversation: the row of a conversation, new or changed
INSERT OR REPLACE INTO [conversations] (
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);

-- add_sketch: the row of a conversation, unless there is one
INSERT OR IGNORE INTO [conversations] (
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
) VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);

-- conversation: one conversation
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM [conversations] WHERE id = ?;

-- some_conversations: conversations by their ids
SELECT
    c.id, c.channel, c.mode, c.title, c.topics, c.created, c.said, c.turn_count, c.participants,
    c.abbreviation, c.manually_named, c.pinned, c.model, c.metadata, c.channel_meta, c.archived_seq,
    c.active_seq, c.heard, c.delay, c.heard_seq, c.abbreviated_seq, c.abbreviated_from,
    c.named_turn, c.stands_in, c.begun, c.day_state, c.folded, c.pinned_place,
    c.pinned_party, c.hash
FROM json_each(?) AS w CROSS JOIN [conversations] AS c WHERE c.id = w.value;

-- number_of_conversation: the number of a conversation's stream
SELECT s.no FROM [streams] AS s JOIN [conversations] AS c ON c.id = s.name WHERE s.name = ?;

-- every_conversation: all conversations, to verify them
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM [conversations];

-- list_conversations: a page of conversations, newest first
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM [conversations]
WHERE mode = :mode
    AND archived = :archived
    AND (updated, id) < (:updated, :id)
    AND (:channel IS NULL OR channel = :channel)
    AND (:words IS NULL OR instr(folded, :words) > 0)
ORDER BY updated DESC, id DESC
LIMIT :limit;

-- pinned_conversation: the conversation that is pinned to a place
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM [conversations]
WHERE pinned_place = :place AND channel = :channel
ORDER BY updated DESC, id DESC LIMIT 1;

-- pinned_with: the conversations that are pinned to somebody, newest first
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM [conversations]
WHERE pinned_party = :party AND channel = :channel
ORDER BY updated DESC, id DESC LIMIT :limit;

-- owed: conversations that are owed something, first those that have been quiet for longest
SELECT
    id, channel, mode, title, topics, created, said, turn_count, participants, abbreviation,
    manually_named, pinned, model, metadata, channel_meta, archived_seq, active_seq, heard,
    delay, heard_seq, abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state,
    folded, pinned_place, pinned_party, hash
FROM [conversations]
WHERE (owing, id) > (:heard, :id)
    AND (
        mode = 'standard' AND owing <= :quiet_since AND (
            heard_seq > abbreviated_seq OR title IS NULL OR (:stand_ins AND stands_in > 0)
        )
        OR mode = 'standard' AND turn_count >= :turns AND delay <= :lag AND (
            title IS NULL OR (:stand_ins AND stands_in & 2)
        )
        OR mode = 'continuous' AND :now <> '' AND (
            day_state ->> '$.until' <= :now OR day_state ->> '$.stale'
            OR json_array_length(day_state, '$.untold') >= :untold
        )
    )
ORDER BY owing, id
LIMIT :limit;

-- titles: those of some titles that conversations have
SELECT w.value FROM json_each(:titles) AS w
WHERE EXISTS (SELECT 1 FROM [conversations] WHERE folded = w.value);

-- delete_conversation: the row of a conversation goes
DELETE FROM [conversations] WHERE id = :id;

-- add_message: a new message
INSERT INTO [messages] VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);

-- put_message: a message, new or changed
INSERT OR REPLACE INTO [messages] VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
);

-- message_at: the message in a place
SELECT * FROM [messages] WHERE place = :place;

-- messages_of_lines: messages by their streams and the numbers of their lines
SELECT s.name, m.*
FROM json_each(?) AS w CROSS JOIN [streams] AS s CROSS JOIN [messages] AS m
WHERE s.name = w.value ->> 'name' AND m.place = (s.no << 32) + (w.value ->> 'seq')
    AND m.status <> 'redacted';

-- ids_of_lines: the ids of messages by their streams and the numbers of their lines
SELECT s.name, m.place, m.id
FROM json_each(?) AS w CROSS JOIN [streams] AS s CROSS JOIN [messages] AS m
WHERE s.name = w.value ->> 'name' AND m.place = (s.no << 32) + (w.value ->> 'seq')
    AND m.status <> 'redacted';

-- message_by_id: the first message of a stream that has this id
SELECT * FROM [messages]
WHERE id = :id AND place BETWEEN :first AND :last
ORDER BY place LIMIT 1;

-- messages_by_id: every message that has this id, with its conversation
SELECT s.name, m.* FROM [messages] AS m JOIN [streams] AS s ON s.no = m.stream
WHERE m.id = :id ORDER BY m.place;

-- messages_before: messages of a conversation before a place, nearest first
SELECT * FROM [messages]
WHERE place >= :first AND place < :place AND status <> 'superseded'
ORDER BY place DESC LIMIT :limit;

-- messages_from: messages of a conversation from a place on, nearest first
SELECT * FROM [messages]
WHERE place >= :place AND place <= :last AND status <> 'superseded'
ORDER BY place LIMIT :limit;

-- messages_of_turns: the messages of some turns
SELECT * FROM [messages]
WHERE stream = :stream AND turn_number BETWEEN :first AND :last AND status <> 'superseded'
ORDER BY place;

-- reply: the current reply in a turn, best the one that names the message
SELECT * FROM [messages]
WHERE stream = :stream AND turn_number = :turn AND role = 'assistant' AND place > :place
    AND status NOT IN ('superseded', 'redacted')
    AND (reply_to IS NULL OR reply_to = :id)
ORDER BY reply_to IS NULL, place DESC LIMIT 1;

-- unanswered: messages in turns without a reply, among the last turns of what was said lately
SELECT s.name, m.*
FROM [conversations] AS c CROSS JOIN [streams] AS s CROSS JOIN [messages] AS m
WHERE c.mode IN ('standard', 'continuous') AND c.archived IN (0, 1) AND c.updated >= :since
    AND s.name = c.id AND m.stream = s.no AND m.turn_number > c.turn_count - :turns
    AND m.role = 'user' AND m.status NOT IN ('superseded', 'redacted') AND m.timestamp >= :since
    AND NOT EXISTS (
        SELECT 1 FROM [messages] AS r
        WHERE r.stream = m.stream AND r.turn_number = m.turn_number AND r.role = 'assistant'
            AND r.place > m.place
    )
ORDER BY m.timestamp, m.place;

-- activity: what was said on some days, by channel and model
SELECT
    w.value ->> 'day',
    coalesce(m.channel, 'web'),
    iif(m.role = 'assistant', m.model, NULL),
    total(m.status NOT IN ('superseded', 'redacted', 'failed')),
    count(DISTINCT iif(
        m.role = 'user' AND m.status NOT IN ('superseded', 'redacted'),
        (m.stream << 32) + m.turn_number, NULL
    )),
    total(iif(
        json_type(m.usage, '$.input') IN ('integer', 'real'),
        max(0, min(1000000000000, m.usage ->> '$.input')), 0
    )),
    total(iif(
        json_type(m.usage, '$.output') IN ('integer', 'real'),
        max(0, min(1000000000000, m.usage ->> '$.output')), 0
    )),
    total(max(0, min(1000000000, coalesce(m.cost, 0))))
FROM json_each(?) AS w CROSS JOIN [messages] AS m
WHERE m.timestamp >= w.value ->> 'since' AND m.timestamp < w.value ->> 'until'
    AND m.role IN ('user', 'assistant')
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3;

-- stored_bytes: how long all streams are, and how large this file is
SELECT
    coalesce(sum(size), 0),
    (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)
FROM [streams];

-- count_conversations: how many there are
SELECT count(*) FROM [conversations];

-- every_message: all messages, some at a time, to verify them
SELECT s.name, m.* FROM [messages] AS m LEFT JOIN [streams] AS s ON s.no = m.stream
WHERE m.place > :after ORDER BY m.place LIMIT :limit;

-- messages_of_stream: all messages of a stream
SELECT * FROM [messages] WHERE place BETWEEN :first AND :last;

-- delete_messages: all messages of a stream go
DELETE FROM [messages] WHERE place BETWEEN :first AND :last;

-- remember_key: a key was used
INSERT OR IGNORE INTO [keys] VALUES (?, ?, ?);

-- forget_key: the message that used the key is erased, the key stays used
INSERT INTO [keys] VALUES (?, NULL, 0)
ON CONFLICT (digest) DO UPDATE SET stream = NULL, offset = 0;

-- find_key: the position that has been applied, whether a key was used, and where
SELECT i.position, k.digest IS NOT NULL, s.name, k.offset
FROM info AS i
LEFT JOIN [keys] AS k ON k.digest = ?
LEFT JOIN [streams] AS s ON s.no = k.stream
WHERE i.complete;

-- add_source: a line stands on a message
INSERT INTO [sources] VALUES (?, ?, ?)
ON CONFLICT (place, message_id) DO UPDATE SET quoted = max(quoted, excluded.quoted);

-- delete_source: a line stands on nothing any more
DELETE FROM [sources] WHERE place = ?;

-- delete_sources: no line of a stream stands on anything any more
DELETE FROM [sources] WHERE place BETWEEN :first AND :last;

-- dependents: lines that go when a message goes
SELECT s.name, d.place, m.id
FROM [sources] AS d
    JOIN [streams] AS s ON s.no = d.place >> 32
    LEFT JOIN [messages] AS m ON m.place = d.place
WHERE d.message_id = :id AND d.quoted = 1
ORDER BY d.place;

-- add_summary: what an event says in fewer words
INSERT OR REPLACE INTO [summaries] VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- newest_summary: the last summary of a kind in a conversation
SELECT * FROM [summaries]
WHERE place BETWEEN :first AND :last AND kind = :kind ORDER BY place DESC LIMIT 1;

-- summaries_of_kind: every summary of a kind in a conversation
SELECT * FROM [summaries]
WHERE place BETWEEN :first AND :last AND kind = :kind ORDER BY place;

-- summaries_of_stream: all summaries of a stream
SELECT * FROM [summaries] WHERE place BETWEEN :first AND :last;

-- found_summaries: those by which a stream is found: of each kind the last one
SELECT * FROM [summaries] AS d
WHERE d.place BETWEEN :first AND :last
    AND (d.kind = 'abbreviation' OR d.kind >= 'day_summary ' AND d.kind < 'day_summary!')
    AND NOT EXISTS (
        SELECT 1 FROM [summaries] AS n
        WHERE n.kind = d.kind AND n.place > d.place AND n.place <= :last
    )
ORDER BY d.place;

-- newest_day_summaries: where the last summary of each day is, and how far it tells
SELECT d.place, d.kind, d.covers, d.hash FROM [summaries] AS d
WHERE d.place BETWEEN :first AND :last
    AND d.kind >= 'day_summary ' AND d.kind < 'day_summary!'
    AND NOT EXISTS (
        SELECT 1 FROM [summaries] AS n
        WHERE n.kind = d.kind AND n.place > d.place AND n.place <= :last
    )
ORDER BY d.place;

-- summaries_citing: those that stand on one of some messages: of each kind the last one
SELECT d.*
FROM json_each(:ids) AS w CROSS JOIN [sources] AS c CROSS JOIN [summaries] AS d
WHERE c.message_id = w.value AND c.place BETWEEN :first AND :last AND d.place = c.place
    AND NOT EXISTS (
        SELECT 1 FROM [summaries] AS n
        WHERE n.kind = d.kind AND n.place > d.place AND n.place <= :last
    )
GROUP BY d.place
ORDER BY d.place;

-- every_summary: all summaries, some at a time, to verify them
SELECT s.name, d.* FROM [summaries] AS d LEFT JOIN [streams] AS s ON s.no = d.place >> 32
WHERE d.place > :after ORDER BY d.place LIMIT :limit;

-- delete_summary: the event that holds a summary is erased
DELETE FROM [summaries] WHERE place = ?;

-- kinds_going: of what kinds those summaries are that go: in some places, or on some messages
SELECT kind FROM [summaries] WHERE place IN (SELECT value FROM json_each(:places))
UNION
SELECT d.kind FROM json_each(:ids) AS w CROSS JOIN [sources] AS c CROSS JOIN [summaries] AS d
WHERE c.message_id = w.value AND c.place BETWEEN :first AND :last AND d.place = c.place;

-- outdate_summaries: a message has changed that these stand on
DELETE FROM [summaries] WHERE place IN (
    SELECT place FROM [sources] WHERE message_id = :id AND place BETWEEN :first AND :last
);

-- delete_summaries: all summaries of a stream go
DELETE FROM [summaries] WHERE place BETWEEN :first AND :last;

-- add_day: a day begins, or is done
INSERT OR REPLACE INTO [days] VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- days_before: days of a conversation before a label, the newest first
SELECT * FROM [days]
WHERE place BETWEEN :first AND :last AND kind = 'opened' AND label < :label
ORDER BY place DESC LIMIT :limit;

-- days_from: days of a conversation from a label on, the oldest first
SELECT * FROM [days]
WHERE place BETWEEN :first AND :last AND kind = 'opened' AND label >= :label
ORDER BY place LIMIT :limit;

-- day_of_turn: the day that a turn belongs to
SELECT * FROM [days]
WHERE place BETWEEN :first AND :last AND kind = 'opened' AND turn <= :turn
ORDER BY place DESC LIMIT 1;

-- day_of_id: the day with an id
SELECT * FROM [days]
WHERE place BETWEEN :first AND :last AND kind = 'opened' AND id = :id
ORDER BY place LIMIT 1;

-- closed_days: those of some days that are done, by their labels
SELECT label FROM [days]
WHERE place BETWEEN :first AND :last AND kind = 'closed'
    AND label IN (SELECT value FROM json_each(:labels));

-- untold_days: days with something of which their last summary, if there is one, does not tell
WITH lived AS MATERIALIZED (
    SELECT d.*, d.place >> 32 AS stream, lead(d.turn) OVER (ORDER BY d.place) AS next_turn, (
        SELECT s.covers FROM [summaries] AS s
        WHERE s.kind = 'day_summary ' || d.label AND s.place BETWEEN :first AND :last
        ORDER BY s.place DESC LIMIT 1
    ) AS covers
    FROM [days] AS d WHERE d.place BETWEEN :first AND :last AND d.kind = 'opened'
)
SELECT d.place, d.kind, d.label, d.id, d.zone, d.turn, d.at, d.hash FROM lived AS d
WHERE EXISTS (
    SELECT 1 FROM [messages] AS m
    WHERE m.stream = d.stream AND m.turn_number >= d.turn AND m.turn_number < d.next_turn
        AND m.place & 0xFFFFFFFF > coalesce(d.covers, -1)
        AND m.role IN ('user', 'assistant')
        AND m.status NOT IN ('superseded', 'redacted', 'failed', 'streaming')
)
ORDER BY d.place LIMIT :limit;

-- said_in_turns: how many messages were said in some spans of turns
SELECT w.value ->> 'key', count(m.place)
FROM json_each(:spans) AS w CROSS JOIN [messages] AS m
WHERE m.stream = :stream
    AND m.turn_number BETWEEN w.value ->> 'first' AND w.value ->> 'last'
    AND m.role IN ('user', 'assistant') AND m.status NOT IN ('superseded', 'redacted')
GROUP BY 1;

-- days_of_stream: all that marks the days of a stream
SELECT * FROM [days] WHERE place BETWEEN :first AND :last;

-- every_day: the same, some at a time, to verify it
SELECT s.name, d.* FROM [days] AS d LEFT JOIN [streams] AS s ON s.no = d.place >> 32
WHERE d.place > :after ORDER BY d.place LIMIT :limit;

-- delete_day: the event that marks a day is erased
DELETE FROM [days] WHERE place = ?;

-- delete_days: all days of a stream go
DELETE FROM [days] WHERE place BETWEEN :first AND :last;

-- add_preference: what the user has chosen
INSERT OR REPLACE INTO [preferences] VALUES (?, ?, ?, ?, ?);

-- preferences: what the user has chosen last, by name
SELECT * FROM [preferences] WHERE place IN (SELECT max(place) FROM [preferences] GROUP BY name);

-- preferences_of_stream: all that the user has ever chosen
SELECT * FROM [preferences] WHERE place BETWEEN :first AND :last;

-- every_preference: the same, some at a time, to verify them
SELECT s.name, d.* FROM [preferences] AS d LEFT JOIN [streams] AS s ON s.no = d.place >> 32
WHERE d.place > :after ORDER BY d.place LIMIT :limit;

-- delete_preference: the event that holds a preference is erased
DELETE FROM [preferences] WHERE place = ?;

-- delete_preferences: all preferences of a stream go
DELETE FROM [preferences] WHERE place BETWEEN :first AND :last;

-- add_memory: what is remembered of something from now on
INSERT OR REPLACE INTO [memories] VALUES (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1
);

-- outdate_memory: what was remembered of something before
UPDATE [memories] SET newest = 0 WHERE id = :id AND place < :place AND newest = 1;

-- settle_memories: after lines about some memories went, of each the last one that is left counts
UPDATE [memories] SET newest = 1 WHERE newest = 0 AND place IN (
    SELECT max(m.place) FROM json_each(?) AS w CROSS JOIN [memories] AS m
    WHERE m.id = w.value GROUP BY m.id HAVING max(m.newest) = 0
);

-- list_memories: a page of memories, newest first
SELECT
    place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash
FROM [memories]
WHERE newest = 1 AND (:state IS NULL OR state = :state)
    AND (:type IS NULL OR type = :type) AND (:category IS NULL OR category = :category)
    AND (:pinned IS NULL OR pinned = :pinned) AND (:archived IS NULL OR archived = :archived)
    AND (:superseded IS NULL OR (superseded_by IS NOT NULL) = :superseded)
    AND (:conversation IS NULL OR conversation_id = :conversation)
    AND (:successor IS NULL OR superseded_by = :successor)
    AND (updated < :updated OR updated = :updated AND id < :id)
ORDER BY updated DESC, id DESC LIMIT :limit;

-- pinned_memories: a page of memories that are pinned, newest first
SELECT
    place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash
FROM [memories]
WHERE pinned = 1 AND newest = 1 AND (:state IS NULL OR state = :state)
    AND (:type IS NULL OR type = :type) AND (:category IS NULL OR category = :category)
    AND (:archived IS NULL OR archived = :archived)
    AND (:superseded IS NULL OR (superseded_by IS NOT NULL) = :superseded)
    AND (:conversation IS NULL OR conversation_id = :conversation)
    AND (:successor IS NULL OR superseded_by = :successor)
    AND (updated < :updated OR updated = :updated AND id < :id)
ORDER BY updated DESC, id DESC LIMIT :limit;

-- some_memories: memories by their ids
SELECT
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM json_each(?) AS w CROSS JOIN [memories] AS m WHERE m.id = w.value AND m.newest = 1;

-- memories_in: memories by the places of the lines about them
SELECT
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM json_each(?) AS w CROSS JOIN [memories] AS m WHERE m.place = w.value;

-- lines_of_memories: every line about some memories, the oldest first
SELECT
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM json_each(?) AS w CROSS JOIN [memories] AS m WHERE m.id = w.value ORDER BY m.place;

-- count_memories: how many lines tell of memories
SELECT count(*) FROM [memories];

-- memories_after: what lines tell of memories after a place, and which of them count
SELECT place, id, newest, state, type, pinned, archived, superseded_by IS NOT NULL
FROM [memories] WHERE place > :after ORDER BY place;

-- counting_memories: the lines about memories that count
SELECT place, id, newest, state, type, pinned, archived, superseded_by IS NOT NULL
FROM [memories] WHERE newest = 1;

-- last_memory: the place of the last line about a memory
SELECT max(place) FROM [memories];

-- remembered: the memories in some places, with their streams
SELECT s.name,
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM json_each(?) AS w CROSS JOIN [memories] AS m CROSS JOIN [streams] AS s
WHERE m.place = w.value AND s.no = m.place >> 32;

-- memories_of_stream: every line of a stream that tells of a memory
SELECT
    place, id, event, state, type, category, content, confidence, pinned, archived, valid_from,
    superseded_by, created, updated, conversation_id, message_id, quote, by, edited, slot, beside,
    changed_by, hash
FROM [memories] WHERE place BETWEEN :first AND :last ORDER BY place;

-- every_memory: the same, some at a time, to verify them
SELECT s.name,
    m.place, m.id, m.event, m.state, m.type, m.category, m.content, m.confidence, m.pinned,
    m.archived, m.valid_from, m.superseded_by, m.created, m.updated, m.conversation_id,
    m.message_id, m.quote, m.by, m.edited, m.slot, m.beside,
    m.changed_by, m.hash
FROM [memories] AS m LEFT JOIN [streams] AS s ON s.no = m.place >> 32
WHERE m.place > :after ORDER BY m.place LIMIT :limit;

-- miscounted_memories: memories of which not the last line counts, or more than that one
SELECT id FROM [memories] GROUP BY id
HAVING sum(newest) <> 1 OR max(place) <> max(CASE WHEN newest = 1 THEN place ELSE -1 END);

-- delete_memory: the event that holds a memory is erased
DELETE FROM [memories] WHERE place = ?;

-- delete_memories: all that a stream tells of memories goes
DELETE FROM [memories] WHERE place BETWEEN :first AND :last;

-- add_use: a reply was made with a memory
INSERT OR REPLACE INTO [uses] VALUES (?, ?, ?);

-- uses: how many replies were made with some memories, and when the last
SELECT u.memory_id, count(*), max(u.at)
FROM json_each(?) AS w CROSS JOIN [uses] AS u WHERE u.memory_id = w.value GROUP BY 1;

-- delete_use: a reply is erased
DELETE FROM [uses] WHERE place = ?;

-- delete_uses: all replies of a stream go
DELETE FROM [uses] WHERE place BETWEEN :first AND :last;

-- carry_uses: a rebuild keeps with which memories the replies of a lost stream were made
INSERT OR REPLACE INTO new_uses
SELECT place + ((:new - :old) << 32), memory_id, at
FROM uses WHERE place BETWEEN :old << 32 AND (:old << 32) + 4294967295;

-- add_oblivion: something is not to be learned again
INSERT OR REPLACE INTO [oblivion] VALUES (?, ?, ?);

-- delete_oblivion: the event that says what is not to be learned again is erased
DELETE FROM [oblivion] WHERE place = ?;

-- salts: with what the hashes of forgotten things are salted
WITH RECURSIVE found (salt) AS (
    SELECT min(salt) FROM [oblivion]
    UNION ALL
    SELECT (SELECT min(o.salt) FROM [oblivion] AS o WHERE o.salt > found.salt)
    FROM found WHERE found.salt IS NOT NULL
)
SELECT salt FROM found WHERE salt IS NOT NULL;

-- forgotten: which of some hashes are those of forgotten things
SELECT DISTINCT o.digest FROM json_each(?) AS w CROSS JOIN [oblivion] AS o WHERE o.digest = w.value;

-- delete_oblivions: all that a stream tells of forgotten things goes
DELETE FROM [oblivion] WHERE place BETWEEN :first AND :last;

-- carry_oblivion: a rebuild keeps what is not to be learned again
INSERT OR REPLACE INTO new_oblivion
SELECT place + ((:new - :old) << 32), salt, digest
FROM oblivion WHERE place BETWEEN :old << 32 AND (:old << 32) + 4294967295;

-- put_delivery: how far something has come that is sent
INSERT OR REPLACE INTO [deliveries] (
    place, id, pos, channel, target, updated, state, part, parts, attempts, due, code, message,
    remedy, hash
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- delivery_by_id: the first line of a stream that has this id and is sent
SELECT
    place, id, pos, channel, target, updated, state, part, parts, attempts, due, code, message,
    remedy, hash
FROM [deliveries] WHERE id = :id AND place BETWEEN :first AND :last ORDER BY place LIMIT 1;

-- deliveries_by_id: the same in all streams, of some ids
SELECT s.name,
    d.place, d.id, d.pos, d.channel, d.target, d.updated, d.state, d.part, d.parts, d.attempts,
    d.due, d.code, d.message, d.remedy, d.hash
FROM json_each(:ids) AS w CROSS JOIN [deliveries] AS d CROSS JOIN [streams] AS s
WHERE d.id = w.value AND s.no = d.place >> 32 AND (:stream IS NULL OR s.name = :stream)
ORDER BY d.place;

-- outbox: what is to be sent next to each place, the oldest first; what is tried later comes last
SELECT s.name,
    d.place, d.id, d.pos, d.channel, d.target, d.updated, d.state, d.part, d.parts, d.attempts,
    d.due, d.code, d.message, d.remedy, d.hash
FROM [deliveries] AS d CROSS JOIN [streams] AS s
WHERE d.open = 1 AND s.no = d.place >> 32
    AND NOT EXISTS (
        SELECT 1 FROM [deliveries] AS e
        WHERE e.open = 1 AND e.channel = d.channel AND e.target = d.target
            AND (e.pos, e.place) < (d.pos, d.place)
    )
ORDER BY d.due IS NOT NULL, d.due, d.pos, d.place LIMIT :limit;

-- deliveries_of_stream: what of a stream is sent
SELECT
    place, id, pos, channel, target, updated, state, part, parts, attempts, due, code, message,
    remedy, hash
FROM [deliveries] WHERE place BETWEEN :first AND :last;

-- every_delivery: the same, some at a time, to verify it
SELECT s.name,
    d.place, d.id, d.pos, d.channel, d.target, d.updated, d.state, d.part, d.parts, d.attempts,
    d.due, d.code, d.message, d.remedy, d.hash
FROM [deliveries] AS d LEFT JOIN [streams] AS s ON s.no = d.place >> 32
WHERE d.place > :after ORDER BY d.place LIMIT :limit;

-- delete_delivery: a line that is sent is erased
DELETE FROM [deliveries] WHERE place = ?;

-- delete_deliveries: nothing of a stream is sent any more
DELETE FROM [deliveries] WHERE place BETWEEN :first AND :last;

-- put_external: the row of an exchange with an outsider, new or changed
INSERT OR REPLACE INTO [externals] (
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- external: one exchange with an outsider
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM [externals] WHERE id = ?;

-- external_of: the exchange with somebody
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM [externals]
WHERE channel = :channel AND party = :party ORDER BY updated DESC, id DESC LIMIT 1;

-- list_externals: a page of exchanges with outsiders, newest first
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM [externals]
WHERE (updated, id) < (:updated, :id)
    AND (:channel IS NULL OR channel = :channel)
    AND (:trust IS NULL OR trust = :trust)
    AND (:words IS NULL OR instr(folded, :words) > 0)
ORDER BY updated DESC, id DESC LIMIT :limit;

-- every_external: all exchanges with outsiders, to verify them
SELECT
    id, channel, party, name, trust, policy, scope, created, said, message_count, last_text,
    last_by, last_id, drafts, escalated, acknowledged, begun, folded, hash
FROM [externals];

-- delete_external: the row of an exchange with an outsider goes
DELETE FROM [externals] WHERE id = :id;

-- some_externals: exchanges with outsiders by their ids
SELECT
    e.id, e.channel, e.party, e.name, e.trust, e.policy, e.scope, e.created, e.said,
    e.message_count, e.last_text, e.last_by, e.last_id, e.drafts, e.escalated, e.acknowledged,
    e.begun, e.folded, e.hash
FROM json_each(?) AS w CROSS JOIN [externals] AS e WHERE e.id = w.value;

-- externals_of_channel: the exchanges on a channel, by the numbers of their streams
SELECT s.no FROM [externals] AS e CROSS JOIN [streams] AS s
WHERE s.name = e.id AND e.channel = ?;

-- add_external_message: a message of an exchange with an outsider
INSERT INTO [external_messages] (
    place, id, by, taken, sender, grade, content, hash, language
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- add_external_word: where a term occurs in a message of an exchange
INSERT INTO [external_words] (term, place, start, finish, length, count) VALUES (?, ?, ?, ?, ?, ?);

-- external_message_by_id: the first message of an exchange that has this id
SELECT place, id, by, taken, sender, grade, content, hash
FROM [external_messages] WHERE id = :id AND place BETWEEN :first AND :last ORDER BY place LIMIT 1;

-- external_messages_of_stream: the messages of an exchange
SELECT place, id, by, taken, sender, grade, content, hash
FROM [external_messages] WHERE place BETWEEN :first AND :last;

-- external_messages_of_lines: the same by their streams and the numbers of their lines
SELECT s.name, m.place, m.id, m.by, m.taken, m.sender, m.grade, m.content, m.hash
FROM json_each(?) AS w CROSS JOIN [streams] AS s CROSS JOIN [external_messages] AS m
WHERE s.name = w.value ->> 'name' AND m.place = (s.no << 32) + (w.value ->> 'seq');

-- every_external_message: the same, some at a time, to verify them
SELECT s.name, m.place, m.id, m.by, m.taken, m.sender, m.grade, m.content, m.hash
FROM [external_messages] AS m LEFT JOIN [streams] AS s ON s.no = m.place >> 32
WHERE m.place > :after ORDER BY m.place LIMIT :limit;

-- external_contents: what some of them say, and in which language
SELECT place, content, language FROM [external_messages]
WHERE place > :after ORDER BY place LIMIT :limit;

-- external_languages: in which languages outsiders wrote, and how many messages of each
SELECT language, count(*) FROM [external_messages] GROUP BY language ORDER BY 2 DESC, 1;

-- external_taken: the messages of exchanges from a time on and before another, newest first
SELECT place, taken FROM [external_messages]
WHERE taken >= :since AND taken < :until ORDER BY taken DESC, place DESC;

-- external_words: where some terms occur in the messages of exchanges
SELECT o.term, o.place, o.start, o.finish, o.length, o.count, m.taken, m.language
FROM json_each(?) AS w CROSS JOIN [external_words] AS o CROSS JOIN [external_messages] AS m
WHERE o.term = w.value AND m.place = o.place;

-- external_words_between: all words of exchanges after a place and up to another, to verify them
SELECT term, place, start, finish, length, count FROM [external_words]
WHERE place > :after AND place <= :last;

-- delete_external_message: a message of an exchange is taken back, or says something else
DELETE FROM [external_messages] WHERE place = ?;

-- delete_external_messages: all messages of an exchange go
DELETE FROM [external_messages] WHERE place BETWEEN :first AND :last;

-- delete_external_word: the words of a message of an exchange go
DELETE FROM [external_words] WHERE place = ?;

-- delete_external_words: the words of all messages of an exchange go
DELETE FROM [external_words] WHERE place BETWEEN :first AND :last;

-- newest_state: the state of a conversation that covers most
SELECT place, text, hash FROM [states]
WHERE place BETWEEN :first AND :last AND version = :version ORDER BY place DESC LIMIT 1;

-- state_at: what the state in a place is, told by its hash
SELECT hash FROM [states] WHERE place = :place AND version = :version;

-- hashes_within: what some messages of a conversation are, told by their hashes
SELECT hash FROM [messages]
WHERE place > :after AND place <= :last AND status <> 'superseded' ORDER BY place;

-- put_state: the state of a conversation up to a place
INSERT OR REPLACE INTO [states] (place, version, text, hash) VALUES (?, ?, ?, ?);

-- places_of_states: up to where there are states of a conversation
SELECT place FROM [states]
WHERE place BETWEEN :first AND :last AND version = :version ORDER BY place;

-- drop_state: a state that is too near to others goes
DELETE FROM [states] WHERE place = :place AND version = :version;

-- drop_older_states: the states that an older program has folded go
DELETE FROM [states] WHERE place BETWEEN :first AND :last AND version < :version;

-- forget_states: something has changed that these states cover
DELETE FROM [states] WHERE place BETWEEN :first AND :last;

-- every_state: all states, some at a time, to verify them
SELECT s.name, d.place, d.version, d.text, d.hash
FROM [states] AS d LEFT JOIN [streams] AS s ON s.no = d.place >> 32
WHERE d.place > :after ORDER BY d.place LIMIT :limit;

-- wait: the words of a message wait to be taken into a segment
INSERT INTO [waiting] VALUES (?);

-- measure_waiting: how many messages and abbreviations wait, and how many bytes they say
SELECT count(*), coalesce(sum(coalesce(octet_length(m.content), octet_length(d.text))), 0)
FROM [waiting] AS w
    LEFT JOIN [messages] AS m ON m.place = w.place
    LEFT JOIN [summaries] AS d ON m.place IS NULL AND d.place = w.place;

-- waiting: which messages and abbreviations wait, what they are now, and how many bytes they say
SELECT w.place, m.hash, octet_length(m.content)
FROM [waiting] AS w CROSS JOIN [messages] AS m WHERE m.place = w.place
UNION ALL
SELECT w.place, d.hash, octet_length(d.text)
FROM [waiting] AS w CROSS JOIN [summaries] AS d WHERE d.place = w.place;

-- longest_waiting: some of those that wait, whatever they say, and how many bytes they say
SELECT w.place, m.hash, octet_length(m.content)
FROM [waiting] AS w CROSS JOIN [messages] AS m WHERE m.place = w.place
UNION ALL
SELECT w.place, d.hash, octet_length(d.text)
FROM [waiting] AS w CROSS JOIN [summaries] AS d WHERE d.place = w.place
ORDER BY 1 LIMIT :some;

-- still_waiting: which of some messages and abbreviations wait, and what they are now
SELECT m.place, m.hash
FROM json_each(:places) AS w CROSS JOIN [waiting] AS s CROSS JOIN [messages] AS m
WHERE s.place = w.value AND m.place = s.place
UNION ALL
SELECT d.place, d.hash
FROM json_each(:places) AS w CROSS JOIN [waiting] AS s CROSS JOIN [summaries] AS d
WHERE s.place = w.value AND d.place = s.place;

-- has_waited: the words of a message are not wanted any more, if they waited
DELETE FROM [waiting] WHERE place = ?;

-- stop_waiting: the words of a message are taken
DELETE FROM [waiting] WHERE place = ?;

-- said: the messages in some places, with their conversations
SELECT s.name, m.*
FROM json_each(?) AS w CROSS JOIN [messages] AS m CROSS JOIN [streams] AS s
WHERE m.place = w.value AND s.no = m.stream;

-- told: the abbreviations in some places, with their conversations
SELECT s.name, d.*
FROM json_each(?) AS w CROSS JOIN [summaries] AS d CROSS JOIN [streams] AS s
WHERE d.place = w.value AND s.no = d.place >> 32;

-- segments: which segments there are
SELECT no, stamp, pieces FROM [segments] ORDER BY no;

-- columns: what is known of the pieces of a segment
SELECT pieces, columns, digest, hash FROM [segments] WHERE no = ? AND stamp = ?;

-- segment: all that is known of a segment
SELECT pieces, columns, digest, hash FROM [segments] WHERE no = ?;

-- put_segment: a segment, new or changed
INSERT OR REPLACE INTO [segments] (no, stamp, pieces, columns, digest, hash)
VALUES (:no, :stamp, :pieces, :columns, :digest, :hash);

-- drop_segment: a segment goes; its postings follow
DELETE FROM [segments] WHERE no = ?;

-- put_posting: where a term occurs in a segment
INSERT OR REPLACE INTO [postings] (segment, term, pieces, counts) VALUES (?, ?, ?, ?);

-- posting: where a term occurs in a segment
SELECT pieces, counts FROM [postings] WHERE segment = ? AND term = ?;

-- drop_posting: a term occurs nowhere in a segment any more
DELETE FROM [postings] WHERE segment = ? AND term = ?;

-- find_postings: where some terms occur, in every segment
SELECT s.no, t.value, p.pieces, p.counts
FROM [segments] AS s CROSS JOIN json_each(:terms) AS t CROSS JOIN [postings] AS p
WHERE p.segment = s.no AND p.term = t.value;

-- find_some_postings: where some terms occur, in some segments
SELECT s.value, t.value, p.pieces, p.counts
FROM json_each(:segments) AS s CROSS JOIN json_each(:terms) AS t CROSS JOIN [postings] AS p
WHERE p.segment = s.value AND p.term = t.value;

-- some_postings: the terms of a segment after one of them, in order
SELECT term, pieces, counts FROM [postings] WHERE segment = ? AND term > ? ORDER BY term LIMIT ?;

-- count_postings: how many terms a segment has
SELECT count(*) FROM [postings] WHERE segment = ?;

-- next_with_postings: the first segment after one that has rows, whether it is there or not
SELECT min(segment) FROM [postings] WHERE segment > ?;

-- drop_postings: some rows of a segment that is not there
DELETE FROM [postings] WHERE (segment, term) IN (
    SELECT segment, term FROM [postings] WHERE segment = :segment LIMIT :some
);

-- some_said: what messages say that are in a segment, in order
SELECT s.name, m.* FROM [messages] AS m JOIN [streams] AS s ON s.no = m.stream
WHERE m.role IN ('user', 'assistant', 'tool')
    AND m.status NOT IN ('superseded', 'redacted', 'failed')
    AND m.place > :after AND m.place NOT IN (SELECT place FROM [waiting])
ORDER BY m.place LIMIT :limit;

-- all_told: the last abbreviations of conversations that are in a segment, in some places
SELECT s.name, d.*
FROM [summaries] AS d JOIN [streams] AS s ON s.no = d.place >> 32
WHERE (d.kind = 'abbreviation' OR d.kind >= 'day_summary ' AND d.kind < 'day_summary!')
    AND d.place > :after AND d.place <= :last
    AND d.place NOT IN (SELECT place FROM [waiting])
    AND NOT EXISTS (
        SELECT 1 FROM [summaries] AS n
        WHERE n.kind = d.kind AND n.place > d.place AND n.place < ((d.place >> 32) + 1) << 32
    );

-- streams_of_channel: the conversations of a channel, by number
SELECT s.no FROM [streams] AS s JOIN [conversations] AS c ON c.id = s.name WHERE c.channel = ?;

-- names_of_streams: the conversations that have some numbers
SELECT s.no, s.name FROM json_each(?) AS w CROSS JOIN [streams] AS s WHERE s.no = w.value;

-- files: which file the tables are in
PRAGMA database_list;

-- check_pages: whether the file is sound
PRAGMA integrity_check(10);

-- checkpoint: everything goes from the log into the file, and the log is emptied
PRAGMA wal_checkpoint(TRUNCATE);

-- carry_stream: a rebuild keeps what was applied of a stream that has lost its lines
UPDATE [streams] SET size = :size, lines = :lines, state = 'lost' WHERE no = :no;

-- carry_keys: and the keys that were used in it
INSERT OR IGNORE INTO new_keys SELECT digest, :new, offset FROM keys WHERE stream = :old;

-- carry_sources: and what its lines stand on
INSERT OR REPLACE INTO new_sources
SELECT place + ((:new - :old) << 32), message_id, quoted
FROM sources WHERE place BETWEEN :old << 32 AND (:old << 32) + 4294967295;

-- empty_streams: some rows of a set of tables that is not needed any more
DELETE FROM [streams] WHERE no IN (SELECT no FROM [streams] LIMIT :some);

-- empty_keys: some rows of a set of tables that is not needed any more
DELETE FROM [keys] WHERE digest IN (SELECT digest FROM [keys] LIMIT :some);

-- empty_sources: some rows of a set of tables that is not needed any more
DELETE FROM [sources] WHERE place IN (SELECT place FROM [sources] LIMIT :some);

-- empty_summaries: some rows of a set of tables that is not needed any more
DELETE FROM [summaries] WHERE place IN (SELECT place FROM [summaries] LIMIT :some);

-- empty_days: some rows of a set of tables that is not needed any more
DELETE FROM [days] WHERE place IN (SELECT place FROM [days] LIMIT :some);

-- empty_preferences: some rows of a set of tables that is not needed any more
DELETE FROM [preferences] WHERE place IN (SELECT place FROM [preferences] LIMIT :some);

-- empty_states: some rows of a set of tables that is not needed any more
DELETE FROM [states] WHERE place IN (SELECT place FROM [states] LIMIT :some);

-- empty_messages: some rows of a set of tables that is not needed any more
DELETE FROM [messages] WHERE place IN (SELECT place FROM [messages] LIMIT :some);

-- empty_conversations: some rows of a set of tables that is not needed any more
DELETE FROM [conversations] WHERE id IN (SELECT id FROM [conversations] LIMIT :some);

-- empty_segments: some rows of a set of tables that is not needed any more
DELETE FROM [segments] WHERE no IN (SELECT no FROM [segments] LIMIT :some);

-- empty_postings: some rows of a set of tables that is not needed any more
DELETE FROM [postings] WHERE (segment, term) IN (SELECT segment, term FROM [postings] LIMIT :some);

-- empty_memories: some rows of a set of tables that is not needed any more
DELETE FROM [memories] WHERE place IN (SELECT place FROM [memories] LIMIT :some);

-- empty_uses: some rows of a set of tables that is not needed any more
DELETE FROM [uses] WHERE place IN (SELECT place FROM [uses] LIMIT :some);

-- empty_oblivion: some rows of a set of tables that is not needed any more
DELETE FROM [oblivion] WHERE place IN (SELECT place FROM [oblivion] LIMIT :some);

-- empty_deliveries: some rows of a set of tables that is not needed any more
DELETE FROM [deliveries] WHERE place IN (SELECT place FROM [deliveries] LIMIT :some);

-- empty_externals: some rows of a set of tables that is not needed any more
DELETE FROM [externals] WHERE id IN (SELECT id FROM [externals] LIMIT :some);

-- empty_external_messages: some rows of a set of tables that is not needed any more
DELETE FROM [external_messages] WHERE place IN (SELECT place FROM [external_messages] LIMIT :some);

-- empty_external_words: some rows of a set of tables that is not needed any more
DELETE FROM [external_words] WHERE place IN (SELECT place FROM [external_words] LIMIT :some);
