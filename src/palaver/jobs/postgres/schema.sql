-- What stands beside the tables of the queue, in the same schema. It goes with them: when a queue is
-- lost, nobody remembers what failed or was cancelled, and everything is tried again.

CREATE TABLE notes (
    owner bigint NOT NULL,
    id text COLLATE "C" PRIMARY KEY,
    attempts bigint NOT NULL DEFAULT 0,
    after timestamptz,
    code text,
    message text,
    remedy text,
    done bigint,
    total bigint,
    cancelled text
);
-- Who works for everybody notes what became of it; each sees their own.
SELECT palaver.raise_wall('notes', 'ALL');
COMMENT ON TABLE notes IS 'What became of jobs that are still to be done.';
COMMENT ON COLUMN notes.after IS 'Before this it is not tried again.';
COMMENT ON COLUMN notes.cancelled IS 'The mark of what was due when somebody cancelled it.';
