-- `palaver_jobs` stands for the schema of this version. The tables of the queue are read here and
-- written by the library alone.

-- tables_exist: whether there are tables of this version
SELECT to_regclass('palaver_jobs.notes') IS NOT NULL;

-- tables_lock: lets one node at a time make or drop tables
SELECT pg_advisory_xact_lock(hashtextextended('palaver jobs', 0));

-- make_schema: where the tables of this version stand; what follows is made there
DROP SCHEMA IF EXISTS palaver_jobs CASCADE;
CREATE SCHEMA palaver_jobs;
SET LOCAL search_path = palaver_jobs;

-- drop_others: queues of other versions go when no worker has used them for a minute
DO $$
DECLARE
    place text;
    used boolean;
BEGIN
    FOR place IN
        SELECT nspname FROM pg_namespace
        WHERE nspname LIKE 'palaver\_jobs\_%' AND nspname <> 'palaver_jobs'
            AND to_regclass(format('%I.procrastinate_workers', nspname)) IS NOT NULL
    LOOP
        EXECUTE format(
            'SELECT EXISTS (SELECT FROM %I.procrastinate_workers'
            ' WHERE last_heartbeat > now() - interval ''1 minute'')',
            place
        ) INTO used;
        IF NOT used THEN
            EXECUTE format('DROP SCHEMA %I CASCADE', place);
        END IF;
    END LOOP;
END $$;

-- search_path: where the library finds its tables
SELECT set_config('search_path', 'palaver_jobs', false);

-- notes: what is known of the jobs of all owners
SELECT id, owner, attempts, after, code, message, remedy, done, total, cancelled
FROM palaver_jobs.notes;

-- queued: what waits or runs, and its number in the queue
SELECT lock, id, status = 'doing' FROM palaver_jobs.procrastinate_jobs
WHERE status IN ('todo', 'doing') AND lock IS NOT NULL ORDER BY id;

-- workers: how many have shown that they are alive within so many seconds
SELECT count(*) FROM palaver_jobs.procrastinate_workers
WHERE last_heartbeat > now() - make_interval(secs => %s);

-- note_failure: one more attempt failed
INSERT INTO palaver_jobs.notes (owner, id, attempts, code, message, remedy)
VALUES (%(owner)s, %(id)s, 1, %(code)s, %(message)s, %(remedy)s)
ON CONFLICT (id) DO UPDATE SET (attempts, code, message, remedy)
    = (notes.attempts + 1, excluded.code, excluded.message, excluded.remedy)
RETURNING attempts;

-- note_pause: it is not tried again before this
INSERT INTO palaver_jobs.notes (owner, id, after) VALUES (%(owner)s, %(id)s, %(after)s)
ON CONFLICT (id) DO UPDATE SET after = excluded.after;

-- note_progress: how far it is
INSERT INTO palaver_jobs.notes (owner, id, done, total)
VALUES (%(owner)s, %(id)s, %(done)s, %(total)s)
ON CONFLICT (id) DO UPDATE SET (done, total) = (excluded.done, excluded.total);

-- note_cancelled: it is left alone as long as nothing more is due
INSERT INTO palaver_jobs.notes (owner, id, cancelled) VALUES (%(owner)s, %(id)s, %(mark)s)
ON CONFLICT (id) DO UPDATE SET (cancelled, after) = (excluded.cancelled, NULL);

-- forget: nothing is known of these jobs any more
DELETE FROM palaver_jobs.notes WHERE id = ANY (%s);

-- let_go: nothing stands in the way of a job any more; what went wrong is still told
UPDATE palaver_jobs.notes SET after = NULL, cancelled = NULL WHERE id = %s;
