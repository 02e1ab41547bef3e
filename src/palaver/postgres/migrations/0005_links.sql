-- Sign-in links: whatever node printed one, every node takes it, and one of them once.

CREATE TABLE palaver.links (
    digest bytea PRIMARY KEY,
    owner bigint NOT NULL REFERENCES palaver.users (no),
    expires text COLLATE "C" NOT NULL
);
CREATE INDEX links_owner ON palaver.links (owner);
COMMENT ON TABLE palaver.links IS 'Links that were not used yet; only a digest of each code is kept.';
