-- Replies in the making, for those who follow them on another node. Nothing here outlives its reply, so
-- nothing is logged: after a crash of the server the tables are empty.

CREATE UNLOGGED TABLE palaver.replies (
    id text COLLATE "C" PRIMARY KEY,
    owner bigint NOT NULL DEFAULT palaver.me(),
    node text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    question text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    begun timestamptz NOT NULL DEFAULT now(),
    touched timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE INDEX replies_owner ON palaver.replies (owner);
COMMENT ON COLUMN palaver.replies.question IS 'The message that is answered; seq is where it stands.';
COMMENT ON COLUMN palaver.replies.touched IS 'When its maker was last heard of.';

CREATE UNLOGGED TABLE palaver.reply_parts (
    reply text COLLATE "C" NOT NULL REFERENCES palaver.replies (id) ON DELETE CASCADE,
    number bigint NOT NULL,
    owner bigint NOT NULL DEFAULT palaver.me(),
    part text COLLATE "C" NOT NULL,
    PRIMARY KEY (reply, number)
);
COMMENT ON TABLE palaver.reply_parts IS 'What there is of them, in the order in which it was made.';
