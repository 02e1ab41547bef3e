-- The tables of one version of the index, in a schema of its own: nodes of another version have
-- theirs beside it. They are derived: there are no migrations. Whoever changes anything here raises
-- the number of the schema. A book is the index of one user; a rebuild fills another book.

CREATE SCHEMA palaver_n;

CREATE FUNCTION palaver_n.book() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('palaver.book')::bigint;
COMMENT ON FUNCTION palaver_n.book() IS
    'Which book this transaction is about; fails when it is not said.';

CREATE FUNCTION palaver_n.new_book() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('palaver.new_book')::bigint;
COMMENT ON FUNCTION palaver_n.new_book() IS 'The book that a rebuild fills; 0 without one.';

CREATE FUNCTION palaver_n.old_book() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('palaver.old_book')::bigint;
COMMENT ON FUNCTION palaver_n.old_book() IS 'A book that was replaced; 0 without one.';

CREATE FUNCTION palaver_n.our_books() RETURNS bigint[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN nullif(current_setting('palaver.books', true), '')::bigint[] || ARRAY[
    nullif(current_setting('palaver.book', true), '')::bigint,
    nullif(current_setting('palaver.new_book', true), '')::bigint,
    nullif(current_setting('palaver.old_book', true), '')::bigint
];
COMMENT ON FUNCTION palaver_n.our_books() IS
    'The books of those for whom this transaction acts; none when it is not said.';

CREATE SEQUENCE palaver_n.book_numbers;

CREATE TABLE palaver_n.books (
    owner bigint PRIMARY KEY,
    live bigint NOT NULL UNIQUE DEFAULT nextval('palaver_n.book_numbers'),
    new bigint UNIQUE,
    position bigint NOT NULL DEFAULT 0,
    complete bigint NOT NULL DEFAULT 0,
    listed bigint NOT NULL DEFAULT 0,
    erasures bigint NOT NULL DEFAULT 0,
    stirred bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE palaver_n.books IS 'Whoever writes rows of a user locks the user''s row here.';
COMMENT ON COLUMN palaver_n.books.stirred IS 'How often something came that may have to be kept.';

CREATE TABLE palaver_n.discarded (
    book bigint PRIMARY KEY,
    owner bigint NOT NULL
);
COMMENT ON TABLE palaver_n.discarded IS 'Books that were replaced; their rows go in steps.';

CREATE TABLE palaver_n.kept (
    owner bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    stirred bigint NOT NULL,
    PRIMARY KEY (owner, kind)
);
COMMENT ON TABLE palaver_n.kept IS 'How far a book was kept in order, by what was done to it.';

CREATE TABLE palaver_n.forgotten (
    owner bigint NOT NULL,
    key bytea NOT NULL,
    PRIMARY KEY (owner, key)
);
COMMENT ON TABLE palaver_n.forgotten IS 'Pieces that went, and may still have their vectors.';

-- Who looks for what is due notes whom they have seen.
SELECT palaver.raise_wall('palaver_n.books', 'SELECT'),
       palaver.raise_wall('palaver_n.discarded', 'NOTHING'),
       palaver.raise_wall('palaver_n.kept', 'ALL'),
       palaver.raise_wall('palaver_n.forgotten', 'NOTHING');

CREATE TABLE palaver_n.streams (
    book bigint NOT NULL,
    no bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    lines bigint NOT NULL,
    state text COLLATE "C" NOT NULL CHECK (state IN ('whole', 'lost', 'deleted')),
    PRIMARY KEY (book, no),
    UNIQUE (book, name)
) WITH (fillfactor = 70);

CREATE TABLE palaver_n.conversations (
    book bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    mode text COLLATE "C" NOT NULL,
    title text COLLATE "C",
    topics text COLLATE "C" NOT NULL,
    created text COLLATE "C" NOT NULL,
    said text COLLATE "C",
    turn_count bigint NOT NULL,
    participants text COLLATE "C" NOT NULL,
    abbreviation text COLLATE "C",
    manually_named bigint NOT NULL,
    pinned bigint NOT NULL,
    model text COLLATE "C",
    metadata text COLLATE "C" NOT NULL,
    channel_meta text COLLATE "C" NOT NULL,
    archived_seq bigint NOT NULL,
    active_seq bigint NOT NULL,
    heard text COLLATE "C",
    delay bigint NOT NULL,
    heard_seq bigint NOT NULL,
    abbreviated_seq bigint NOT NULL,
    abbreviated_from text COLLATE "C" NOT NULL,
    named_turn bigint NOT NULL,
    stands_in bigint NOT NULL,
    begun bigint NOT NULL,
    day_state text COLLATE "C" NOT NULL,
    folded text COLLATE "C",
    folded_hash bigint GENERATED ALWAYS AS (hashtextextended(folded, 0)) STORED,
    pinned_place text COLLATE "C",
    pinned_place_hash bigint GENERATED ALWAYS AS (hashtextextended(pinned_place, 0)) STORED,
    pinned_party text COLLATE "C",
    pinned_party_hash bigint GENERATED ALWAYS AS (hashtextextended(pinned_party, 0)) STORED,
    hash bytea NOT NULL,
    updated text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(said, created)) STORED,
    archived bigint NOT NULL GENERATED ALWAYS AS ((archived_seq > active_seq)::integer) STORED,
    owing text COLLATE "C" GENERATED ALWAYS AS (
        CASE
            WHEN heard_seq >= 0 AND (
                mode = 'continuous'
                OR heard_seq > abbreviated_seq OR title IS NULL OR stands_in > 0
            )
            THEN heard
        END
    ) STORED,
    PRIMARY KEY (book, id)
) WITH (fillfactor = 70);
COMMENT ON COLUMN palaver_n.conversations.owing IS
    'When it was last heard, if it may be owed an abbreviation, a title or what tells of its days.';
CREATE INDEX conversations_by_time ON palaver_n.conversations (book, archived, updated, id);
CREATE INDEX conversations_by_title ON palaver_n.conversations (book, folded_hash)
    WHERE folded IS NOT NULL;
CREATE INDEX conversations_by_place ON palaver_n.conversations (book, pinned_place_hash)
    WHERE pinned_place_hash IS NOT NULL;
CREATE INDEX conversations_by_party ON palaver_n.conversations (book, pinned_party_hash)
    WHERE pinned_party_hash IS NOT NULL;
CREATE INDEX conversations_owing ON palaver_n.conversations (owing, id, book)
    WHERE owing IS NOT NULL;

-- A message's place is the number of its stream × 2³² + its seq: a conversation is one range of
-- places, in order. An id may be of any length, so it is found by its hash: a column, because behind
-- the wall the server uses no index of what a function makes of a row.
CREATE TABLE palaver_n.messages (
    book bigint NOT NULL,
    place bigint NOT NULL,
    stream bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    id_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(id, 0)) STORED,
    role text COLLATE "C" NOT NULL,
    content text COLLATE "C" NOT NULL,
    timestamp text COLLATE "C" NOT NULL,
    turn_number bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    supersedes text COLLATE "C",
    reply_to text COLLATE "C",
    channel text COLLATE "C",
    sender text COLLATE "C",
    author text COLLATE "C",
    model text COLLATE "C",
    parts text COLLATE "C",
    thinking_text text COLLATE "C",
    usage text COLLATE "C",
    cost double precision,
    tool_calls text COLLATE "C",
    suggested_values text COLLATE "C",
    suggested_actions text COLLATE "C",
    custom_payload text COLLATE "C",
    intent text COLLATE "C",
    action_name text COLLATE "C",
    job_refs text COLLATE "C",
    sources text COLLATE "C",
    key text COLLATE "C",
    hash bytea NOT NULL,
    PRIMARY KEY (book, place)
);
CREATE INDEX messages_by_id ON palaver_n.messages (book, id_hash, place);
CREATE INDEX messages_by_time ON palaver_n.messages (book, timestamp);
CREATE INDEX messages_by_turn ON palaver_n.messages (book, stream, turn_number, place);

CREATE TABLE palaver_n.sources (
    book bigint NOT NULL,
    place bigint NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    message_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(message_id, 0)) STORED,
    quoted bigint NOT NULL
);
CREATE UNIQUE INDEX sources_by_place ON palaver_n.sources (book, place, message_hash);
CREATE INDEX sources_by_message ON palaver_n.sources (book, message_hash, place);

CREATE TABLE palaver_n.summaries (
    book bigint NOT NULL,
    place bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    text text COLLATE "C" NOT NULL,
    through bigint NOT NULL,
    made text COLLATE "C" NOT NULL,
    sources text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    covers bigint NOT NULL,
    marks bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.summaries IS 'A summary is in the place of the event that holds it.';
CREATE INDEX summaries_by_kind ON palaver_n.summaries (book, kind, place);

CREATE TABLE palaver_n.days (
    book bigint NOT NULL,
    place bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    label text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    zone text COLLATE "C" NOT NULL,
    turn bigint NOT NULL,
    at text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.days IS
    'A day of a continuous conversation begins or is done, in the place of the event that says so.';
CREATE INDEX days_by_label ON palaver_n.days (book, kind, label, place);

CREATE TABLE palaver_n.preferences (
    book bigint NOT NULL,
    place bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    value text COLLATE "C",
    since text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.preferences IS
    'What the user has chosen, each in the place of the event that says so; the last one counts.';

CREATE TABLE palaver_n.memories (
    book bigint NOT NULL,
    place bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    category text COLLATE "C",
    content text COLLATE "C" NOT NULL,
    confidence double precision NOT NULL,
    pinned bigint NOT NULL,
    archived bigint NOT NULL,
    valid_from text COLLATE "C",
    superseded_by text COLLATE "C",
    created text COLLATE "C" NOT NULL,
    updated text COLLATE "C" NOT NULL,
    conversation_id text COLLATE "C",
    message_id text COLLATE "C",
    quote text COLLATE "C",
    by text COLLATE "C" NOT NULL,
    edited bigint NOT NULL,
    slot text COLLATE "C",
    beside text COLLATE "C",
    changed_by text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    newest bigint NOT NULL,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.memories IS
    'What is remembered, each in the place of the event that says so; of each the last one counts.';
CREATE INDEX memories_by_time ON palaver_n.memories (book, newest, updated, id);
CREATE INDEX memories_pinned ON palaver_n.memories (book, updated, id)
    WHERE newest = 1 AND pinned = 1;
CREATE INDEX memories_by_source ON palaver_n.memories (book, conversation_id, place)
    WHERE conversation_id IS NOT NULL;
CREATE INDEX memories_by_successor ON palaver_n.memories (book, superseded_by, place)
    WHERE superseded_by IS NOT NULL;
-- The last one: while nothing is known of the table, the server takes that of several it could use.
CREATE INDEX memories_by_id ON palaver_n.memories (book, id, place);

CREATE TABLE palaver_n.uses (
    book bigint NOT NULL,
    place bigint NOT NULL,
    memory_id text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (book, place, memory_id)
);
COMMENT ON TABLE palaver_n.uses IS 'A reply in some place was made with a memory.';
CREATE INDEX uses_by_memory ON palaver_n.uses (book, memory_id, at);

CREATE TABLE palaver_n.oblivion (
    book bigint NOT NULL,
    place bigint NOT NULL,
    salt text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    PRIMARY KEY (book, digest, place)
);
COMMENT ON TABLE palaver_n.oblivion IS 'What is not to be learned again, by its salted hash.';
CREATE INDEX oblivion_by_salt ON palaver_n.oblivion (book, salt);
CREATE INDEX oblivion_by_place ON palaver_n.oblivion (book, place);

CREATE TABLE palaver_n.deliveries (
    book bigint NOT NULL,
    place bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    pos bigint NOT NULL,
    channel text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    updated text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    part bigint,
    parts bigint NOT NULL,
    attempts bigint NOT NULL,
    due text COLLATE "C",
    code text COLLATE "C",
    message text COLLATE "C",
    remedy text COLLATE "C",
    hash bytea NOT NULL,
    id_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(id, 0)) STORED,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.deliveries IS
    'What is sent to a channel, each in the place of the line that says so.';
CREATE INDEX deliveries_open ON palaver_n.deliveries (book, pos)
    WHERE state IN ('waiting', 'sending');
CREATE INDEX deliveries_by_id ON palaver_n.deliveries (book, id_hash, place);

CREATE TABLE palaver_n.externals (
    book bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    party text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    trust text COLLATE "C",
    policy text COLLATE "C",
    scope text COLLATE "C",
    created text COLLATE "C" NOT NULL,
    said text COLLATE "C",
    message_count bigint NOT NULL,
    last_text text COLLATE "C" NOT NULL,
    last_by text COLLATE "C",
    last_id text COLLATE "C",
    drafts text COLLATE "C" NOT NULL,
    escalated bigint NOT NULL,
    acknowledged bigint NOT NULL,
    begun bigint NOT NULL,
    folded text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    party_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(party, 0)) STORED,
    updated text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(said, created)) STORED,
    PRIMARY KEY (book, id)
);
COMMENT ON TABLE palaver_n.externals IS
    'Exchanges with outsiders. What is said there is in two tables of its own, and in no other.';
CREATE INDEX externals_by_time ON palaver_n.externals (book, updated, id);
CREATE INDEX externals_by_party ON palaver_n.externals (book, party_hash);

CREATE TABLE palaver_n.external_messages (
    book bigint NOT NULL,
    place bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    taken text COLLATE "C" NOT NULL,
    sender text COLLATE "C",
    grade text COLLATE "C",
    content text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    language bigint NOT NULL,
    id_hash bigint NOT NULL GENERATED ALWAYS AS (hashtextextended(id, 0)) STORED,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.external_messages IS 'What is said in exchanges with outsiders.';
CREATE INDEX external_messages_by_id ON palaver_n.external_messages (book, id_hash, place);
CREATE INDEX external_messages_by_time ON palaver_n.external_messages (book, taken, place);
CREATE INDEX external_messages_by_language ON palaver_n.external_messages (book, language);

CREATE TABLE palaver_n.external_words (
    book bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    start bigint NOT NULL,
    finish bigint NOT NULL,
    length bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (book, term, place, start)
);
COMMENT ON TABLE palaver_n.external_words IS
    'In which piece of which message of an exchange a term occurs, how long it is, and how often.';
CREATE INDEX external_words_by_place ON palaver_n.external_words (book, place);

CREATE TABLE palaver_n.states (
    book bigint NOT NULL,
    place bigint NOT NULL,
    version bigint NOT NULL,
    text text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (book, place, version)
);
COMMENT ON TABLE palaver_n.states IS
    'What was folded from a conversation up to a place; it goes when something there changes.';

CREATE TABLE palaver_n.waiting (
    book bigint NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (book, place)
);
COMMENT ON TABLE palaver_n.waiting IS 'Messages whose words are not in a segment yet.';

CREATE TABLE palaver_n.segments (
    book bigint NOT NULL,
    no bigint NOT NULL,
    stamp bigint NOT NULL,
    pieces bigint NOT NULL,
    columns bytea NOT NULL,
    digest bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (book, no)
);

ALTER TABLE palaver_n.segments ALTER COLUMN columns SET STORAGE EXTERNAL;

CREATE TABLE palaver_n.postings (
    book bigint NOT NULL,
    segment bigint NOT NULL,
    term text COLLATE "C" NOT NULL,
    pieces bytea NOT NULL,
    counts bytea NOT NULL,
    PRIMARY KEY (book, segment, term)
);
COMMENT ON TABLE palaver_n.postings IS
    'Rows of a segment that is not there belong to one that is still being written.';

-- The second wall, for what says whose it is by its book.
DO $$
DECLARE
    place regclass;
BEGIN
    FOR place IN
        SELECT c.oid FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = (
            SELECT relnamespace FROM pg_class WHERE oid = 'palaver_n.books'::regclass
        ) AND c.relkind = 'r' AND a.attname = 'book'
            AND c.relname <> 'discarded'
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', place);
        EXECUTE format(
            'CREATE POLICY ours ON %s USING ('
            'CASE WHEN book = ANY ((SELECT palaver_n.our_books())::bigint[]) THEN true END)', place
        );
    END LOOP;
END $$;
CREATE POLICY everybody ON palaver_n.conversations FOR SELECT USING ((SELECT palaver.says('*')));
