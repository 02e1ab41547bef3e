-- The ledger: who there is, their streams, the lines of these, and the keys that were used.

CREATE FUNCTION palaver.me() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('palaver.owner')::bigint;
COMMENT ON FUNCTION palaver.me() IS 'Whose rows this transaction is about; fails when it is not said.';

CREATE FUNCTION palaver.us() RETURNS bigint[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('palaver.owners')::bigint[];
COMMENT ON FUNCTION palaver.us() IS 'The same for a commit that holds lines of several owners.';

CREATE TABLE palaver.users (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    pos bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON COLUMN palaver.users.pos IS 'The highest pos given; whoever commits locks the row.';

CREATE TABLE palaver.streams (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner bigint NOT NULL DEFAULT palaver.me() REFERENCES palaver.users (no),
    name text COLLATE "C" NOT NULL,
    size bigint NOT NULL,
    lines bigint NOT NULL,
    chain bytea NOT NULL,
    turn bigint NOT NULL,
    answered boolean NOT NULL,
    unsealed bigint,
    unsealed_lines bigint NOT NULL DEFAULT 0,
    deleted boolean NOT NULL DEFAULT false,
    UNIQUE (owner, name)
) WITH (fillfactor = 70);
COMMENT ON TABLE palaver.streams IS 'The end of each stream; a deleted one keeps its name.';

CREATE TABLE palaver.lines (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    owner bigint NOT NULL DEFAULT palaver.me(),
    pos bigint,
    place bigint NOT NULL,
    line text COLLATE "C",
    odd bytea,
    PRIMARY KEY (stream, seq),
    UNIQUE (owner, pos),
    CHECK ((line IS NULL) <> (odd IS NULL))
);
COMMENT ON COLUMN palaver.lines.pos IS 'None for a line that another program wrote.';
COMMENT ON COLUMN palaver.lines.place IS 'The offset that the line has in a file.';
COMMENT ON COLUMN palaver.lines.odd IS 'The bytes of a line that is no text.';

CREATE TABLE palaver.keys (
    owner bigint NOT NULL DEFAULT palaver.me(),
    digest bytea NOT NULL,
    stream bigint,
    seq bigint,
    PRIMARY KEY (owner, digest),
    CHECK ((stream IS NULL) = (seq IS NULL))
);
COMMENT ON COLUMN palaver.keys.stream IS 'None when the message was erased: the key stays used.';
