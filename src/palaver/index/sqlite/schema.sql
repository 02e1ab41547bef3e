-- Table names stand in brackets: a rebuild fills a second set of the same tables, named [new_…].
-- The index is derived: there are no migrations. Whoever changes anything here raises VERSION.

-- tables: one set of tables
CREATE TABLE [streams] (
    no INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('whole', 'lost', 'deleted'))
) STRICT;

CREATE TABLE [conversations] (
    id TEXT NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL,
    mode TEXT NOT NULL,
    title TEXT,
    topics TEXT NOT NULL,
    created TEXT NOT NULL,
    said TEXT,
    turn_count INTEGER NOT NULL,
    participants TEXT NOT NULL,
    abbreviation TEXT,
    manually_named INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    model TEXT,
    metadata TEXT NOT NULL,
    channel_meta TEXT NOT NULL,
    archived_seq INTEGER NOT NULL,
    active_seq INTEGER NOT NULL,
    heard TEXT,
    delay INTEGER NOT NULL,
    heard_seq INTEGER NOT NULL,
    abbreviated_seq INTEGER NOT NULL,
    abbreviated_from TEXT NOT NULL,
    named_turn INTEGER NOT NULL,
    stands_in INTEGER NOT NULL,
    begun INTEGER NOT NULL,
    day_state TEXT NOT NULL,
    folded TEXT,
    pinned_place TEXT,
    pinned_party TEXT,
    hash BLOB NOT NULL,
    updated TEXT NOT NULL AS (coalesce(said, created)),
    archived INTEGER NOT NULL AS (archived_seq > active_seq),
    owing TEXT AS (
        iif(
            heard_seq >= 0 AND (
                mode = 'continuous'
                OR heard_seq > abbreviated_seq OR title IS NULL OR stands_in > 0
            ),
            heard, NULL
        )
    ),
    UNIQUE (mode, archived, updated, id),
    UNIQUE (owing, id),
    UNIQUE (folded, id),
    UNIQUE (pinned_place, channel, updated, id),
    UNIQUE (pinned_party, channel, updated, id)
) STRICT, WITHOUT ROWID;

-- A message's place is the number of its stream × 2³² + its seq: a conversation is one range of
-- places, in order. UNIQUE instead of CREATE INDEX: such an index is renamed with its table.
CREATE TABLE [messages] (
    place INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    turn_number INTEGER NOT NULL,
    status TEXT NOT NULL,
    supersedes TEXT,
    reply_to TEXT,
    channel TEXT,
    sender TEXT,
    author TEXT,
    model TEXT,
    parts TEXT,
    thinking_text TEXT,
    usage TEXT,
    cost REAL,
    tool_calls TEXT,
    suggested_values TEXT,
    suggested_actions TEXT,
    custom_payload TEXT,
    intent TEXT,
    action_name TEXT,
    job_refs TEXT,
    sources TEXT,
    key TEXT,
    hash BLOB NOT NULL,
    UNIQUE (id, place),
    UNIQUE (timestamp, place),
    UNIQUE (stream, turn_number, place)
) STRICT;

-- stream is NULL when the message that used the key is erased.
CREATE TABLE [keys] (
    digest BLOB NOT NULL PRIMARY KEY,
    stream INTEGER,
    offset INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE [sources] (
    place INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    quoted INTEGER NOT NULL,
    PRIMARY KEY (place, message_id),
    UNIQUE (message_id, place)
) STRICT, WITHOUT ROWID;

-- A summary is in the place of the event that holds it.
CREATE TABLE [summaries] (
    place INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    through INTEGER NOT NULL,
    made TEXT NOT NULL,
    sources TEXT NOT NULL,
    by TEXT NOT NULL,
    covers INTEGER NOT NULL,
    marks INTEGER NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (kind, place)
) STRICT;

-- A day of a continuous conversation begins or is done, in the place of the event that says so.
CREATE TABLE [days] (
    place INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    id TEXT NOT NULL,
    zone TEXT NOT NULL,
    turn INTEGER NOT NULL,
    at TEXT NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (kind, label, place)
) STRICT;

-- What the user has chosen, each in the place of the event that says so; the last one counts.
CREATE TABLE [preferences] (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    value TEXT,
    since TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;

-- What is remembered, each in the place of the event that says so; of each memory the last counts.
CREATE TABLE [memories] (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    category TEXT,
    content TEXT NOT NULL,
    confidence REAL NOT NULL,
    pinned INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    valid_from TEXT,
    superseded_by TEXT,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    conversation_id TEXT,
    message_id TEXT,
    quote TEXT,
    by TEXT NOT NULL,
    edited INTEGER NOT NULL,
    slot TEXT,
    beside TEXT,
    changed_by TEXT NOT NULL,
    hash BLOB NOT NULL,
    newest INTEGER NOT NULL,
    UNIQUE (id, place),
    UNIQUE (newest, updated, id, place),
    UNIQUE (pinned, newest, updated, id, place),
    UNIQUE (conversation_id, place),
    UNIQUE (superseded_by, place)
) STRICT;

-- A reply in some place was made with a memory.
CREATE TABLE [uses] (
    place INTEGER NOT NULL,
    memory_id TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (place, memory_id),
    UNIQUE (memory_id, at, place)
) STRICT, WITHOUT ROWID;

-- What is not to be learned again, by its salted hash.
CREATE TABLE [oblivion] (
    place INTEGER NOT NULL,
    salt TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (digest, place),
    UNIQUE (salt, place, digest),
    UNIQUE (place, digest)
) STRICT, WITHOUT ROWID;

-- What is sent to a channel, each in the place of the line that says so.
CREATE TABLE [deliveries] (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    pos INTEGER NOT NULL,
    channel TEXT NOT NULL,
    target TEXT NOT NULL,
    updated TEXT NOT NULL,
    state TEXT NOT NULL,
    part INTEGER,
    parts INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    due TEXT,
    code TEXT,
    message TEXT,
    remedy TEXT,
    hash BLOB NOT NULL,
    open INTEGER AS (iif(state IN ('waiting', 'sending'), 1, NULL)),
    UNIQUE (id, place),
    UNIQUE (open, pos, place),
    UNIQUE (open, channel, target, pos, place)
) STRICT;

-- Exchanges with outsiders. What is said there is in two tables of its own, and in no other: one
-- that asks for what was said in conversations cannot come upon it.
CREATE TABLE [externals] (
    id TEXT NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL,
    party TEXT NOT NULL,
    name TEXT,
    trust TEXT,
    policy TEXT,
    scope TEXT,
    created TEXT NOT NULL,
    said TEXT,
    message_count INTEGER NOT NULL,
    last_text TEXT NOT NULL,
    last_by TEXT,
    last_id TEXT,
    drafts TEXT NOT NULL,
    escalated INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    begun INTEGER NOT NULL,
    folded TEXT NOT NULL,
    hash BLOB NOT NULL,
    updated TEXT NOT NULL AS (coalesce(said, created)),
    UNIQUE (updated, id),
    UNIQUE (channel, party, updated, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE [external_messages] (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    by TEXT NOT NULL,
    taken TEXT NOT NULL,
    language INTEGER NOT NULL,
    sender TEXT,
    grade TEXT,
    content TEXT NOT NULL,
    hash BLOB NOT NULL,
    UNIQUE (id, place),
    UNIQUE (taken, place),
    UNIQUE (language, taken, place)
) STRICT;

-- In which piece of which message of an exchange a term occurs, how long the piece is, and how often.
CREATE TABLE [external_words] (
    term TEXT NOT NULL,
    place INTEGER NOT NULL,
    start INTEGER NOT NULL,
    finish INTEGER NOT NULL,
    length INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (term, place, start),
    UNIQUE (place, term, start)
) STRICT, WITHOUT ROWID;

-- What was folded from a conversation up to a place. It goes when something up to there changes.
CREATE TABLE [states] (
    place INTEGER NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (place, version)
) STRICT;

-- Messages whose words are not in a segment yet: they are read one by one when somebody searches.
CREATE TABLE [waiting] (
    place INTEGER PRIMARY KEY
) STRICT;

-- A segment holds the words of some messages, cut into pieces. It is written once; only what is
-- erased is taken out of it, and then it gets another stamp.
CREATE TABLE [segments] (
    no INTEGER PRIMARY KEY,
    stamp INTEGER NOT NULL,
    pieces INTEGER NOT NULL,
    columns BLOB NOT NULL,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;

-- Rows of a segment that is not in [segments] belong to one that is still being written.
CREATE TABLE [postings] (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    pieces BLOB NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;

-- info: what is known of the index as a whole
CREATE TABLE info (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    position INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    listed INTEGER NOT NULL,
    erasures INTEGER NOT NULL,
    wiped INTEGER NOT NULL
) STRICT;
INSERT INTO info VALUES (1, 0, 0, 0, 0, 0);

-- retire: the live tables step aside
ALTER TABLE streams RENAME TO old_streams;
ALTER TABLE conversations RENAME TO old_conversations;
ALTER TABLE messages RENAME TO old_messages;
ALTER TABLE keys RENAME TO old_keys;
ALTER TABLE sources RENAME TO old_sources;
ALTER TABLE summaries RENAME TO old_summaries;
ALTER TABLE days RENAME TO old_days;
ALTER TABLE preferences RENAME TO old_preferences;
ALTER TABLE oblivion RENAME TO old_oblivion;
ALTER TABLE uses RENAME TO old_uses;
ALTER TABLE memories RENAME TO old_memories;
ALTER TABLE deliveries RENAME TO old_deliveries;
ALTER TABLE externals RENAME TO old_externals;
ALTER TABLE external_messages RENAME TO old_external_messages;
ALTER TABLE external_words RENAME TO old_external_words;
ALTER TABLE states RENAME TO old_states;
ALTER TABLE waiting RENAME TO old_waiting;
ALTER TABLE segments RENAME TO old_segments;
ALTER TABLE postings RENAME TO old_postings;

-- promote: the tables that a rebuild has filled take their names
ALTER TABLE new_streams RENAME TO streams;
ALTER TABLE new_conversations RENAME TO conversations;
ALTER TABLE new_messages RENAME TO messages;
ALTER TABLE new_keys RENAME TO keys;
ALTER TABLE new_sources RENAME TO sources;
ALTER TABLE new_summaries RENAME TO summaries;
ALTER TABLE new_days RENAME TO days;
ALTER TABLE new_preferences RENAME TO preferences;
ALTER TABLE new_oblivion RENAME TO oblivion;
ALTER TABLE new_uses RENAME TO uses;
ALTER TABLE new_memories RENAME TO memories;
ALTER TABLE new_deliveries RENAME TO deliveries;
ALTER TABLE new_externals RENAME TO externals;
ALTER TABLE new_external_messages RENAME TO external_messages;
ALTER TABLE new_external_words RENAME TO external_words;
ALTER TABLE new_states RENAME TO states;
ALTER TABLE new_waiting RENAME TO waiting;
ALTER TABLE new_segments RENAME TO segments;
ALTER TABLE new_postings RENAME TO postings;

-- drop: a set of tables that is not needed any more, once it has been emptied
DROP TABLE IF EXISTS [postings];
DROP TABLE IF EXISTS [segments];
DROP TABLE IF EXISTS [waiting];
DROP TABLE IF EXISTS [states];
DROP TABLE IF EXISTS [external_words];
DROP TABLE IF EXISTS [external_messages];
DROP TABLE IF EXISTS [externals];
DROP TABLE IF EXISTS [deliveries];
DROP TABLE IF EXISTS [memories];
DROP TABLE IF EXISTS [uses];
DROP TABLE IF EXISTS [oblivion];
DROP TABLE IF EXISTS [preferences];
DROP TABLE IF EXISTS [days];
DROP TABLE IF EXISTS [summaries];
DROP TABLE IF EXISTS [sources];
DROP TABLE IF EXISTS [keys];
DROP TABLE IF EXISTS [messages];
DROP TABLE IF EXISTS [conversations];
DROP TABLE IF EXISTS [streams];
