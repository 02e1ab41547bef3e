-- What the embedding models made of texts, for the search by meaning. It needs pgvector.
-- PV001 is ours: the sentence and the hint are what the user reads.

DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS vector;
EXCEPTION
    WHEN feature_not_supported OR undefined_file THEN
        RAISE EXCEPTION USING ERRCODE = 'PV001',
            MESSAGE = 'The server of the database has no pgvector.',
            HINT = 'Install pgvector 0.8 or later on the server, then start Palaver again.';
    WHEN insufficient_privilege THEN
        RAISE EXCEPTION USING ERRCODE = 'PV001',
            MESSAGE = 'Palaver may not create the extension pgvector in the database.',
            HINT = 'Have an administrator run CREATE EXTENSION vector in it, then start Palaver again.';
END $$;

DO $$
BEGIN
    IF (SELECT string_to_array(substring(extversion FROM '^[0-9.]+'), '.')::integer[] < '{0,8}'
        FROM pg_extension WHERE extname = 'vector')
    THEN
        RAISE EXCEPTION USING ERRCODE = 'PV001',
            MESSAGE = 'The pgvector of the database is older than 0.8.',
            HINT = 'Install pgvector 0.8 or later on the server, and have an administrator run '
                'ALTER EXTENSION vector UPDATE in the database.';
    END IF;
END $$;

CREATE TABLE palaver.models (
    no smallint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    identity text COLLATE "C" NOT NULL UNIQUE,
    dimensions integer NOT NULL,
    stamp uuid NOT NULL DEFAULT gen_random_uuid()
);
COMMENT ON TABLE palaver.models IS 'Whose vectors there are, of all users.';
COMMENT ON COLUMN palaver.models.stamp IS 'Tells these vectors from those of every other database.';

CREATE TABLE palaver.vectors (
    owner bigint NOT NULL DEFAULT palaver.me(),
    model smallint NOT NULL,
    short bigint NOT NULL,
    key bytea NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (owner, short, key, model)
) PARTITION BY HASH (owner);
COMMENT ON COLUMN palaver.vectors.short IS 'The first eight bytes of the key, the lowest first.';
COMMENT ON COLUMN palaver.vectors.vector IS 'As many dimensions as its model has.';

-- A user with many vectors has an index of their own. Whoever plans a statement looks at every index
-- of a table, so these are spread over several.
DO $$
BEGIN
    FOR part IN 0..31 LOOP
        EXECUTE format(
            'CREATE TABLE palaver.vectors_%1$s PARTITION OF palaver.vectors '
            'FOR VALUES WITH (MODULUS 32, REMAINDER %1$s)', part
        );
    END LOOP;
END $$;
