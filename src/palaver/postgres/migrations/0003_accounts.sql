-- The accounts: who holds which credentials. Times are those of the tokens: ISO 8601 in UTC.

CREATE TABLE palaver.tokens (
    id text COLLATE "C" PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,
    name text NOT NULL,
    owner bigint NOT NULL REFERENCES palaver.users (no),
    scopes text NOT NULL,
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C",
    last_used text COLLATE "C",
    revoked text COLLATE "C"
);
CREATE INDEX tokens_owner ON palaver.tokens (owner);
COMMENT ON TABLE palaver.tokens IS 'What programs show; only a digest of each secret is kept.';

CREATE TABLE palaver.sign_ins (
    digest bytea PRIMARY KEY,
    owner bigint NOT NULL REFERENCES palaver.users (no),
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C" NOT NULL
);
CREATE INDEX sign_ins_owner ON palaver.sign_ins (owner);
CREATE INDEX sign_ins_expires ON palaver.sign_ins (expires);
COMMENT ON TABLE palaver.sign_ins IS 'Browsers; only a digest of each cookie is kept.';
