-- begin_reading: One state of the tables.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- begin_writing: All or nothing.
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;

-- commit: Makes it lasting.
COMMIT;

-- rollback: Leaves everything as it was.
ROLLBACK;

-- act_for: From here on the rows of this owner are seen, to the end of the transaction; when it is
-- empty, those of nobody, and with an asterisk those of everybody.
SELECT set_config('palaver.owner', %s, true);

-- limits: How long a statement may run, wait for a lock, or leave a transaction open.
SELECT set_config('statement_timeout', %(statement)s, false),
       set_config('lock_timeout', %(lock)s, false),
       set_config('idle_in_transaction_session_timeout', %(idle)s, false);

-- server: What kind of server it is.
SELECT current_setting('server_version_num')::integer, current_setting('server_encoding');

-- alive: Answers if somebody is there.
SELECT 1;

-- savepoint: What comes after this can be taken back alone.
SAVEPOINT palaver;

-- back_to_savepoint: Takes back what came after the savepoint.
ROLLBACK TO SAVEPOINT palaver;

-- migration_limits: Others may be migrating: waits for them, and lets a long migration run.
SELECT set_config('lock_timeout', '120s', true), set_config('statement_timeout', '0', true);

-- migration_lock: Lets one node at a time change the primary tables.
SELECT pg_advisory_xact_lock(7235424113264509);

-- migration_table: Where the migrations that were run are noted.
CREATE SCHEMA IF NOT EXISTS palaver;
CREATE TABLE IF NOT EXISTS palaver.migrations (
    number integer PRIMARY KEY,
    name text NOT NULL,
    applied timestamptz NOT NULL DEFAULT now()
);

-- migrations_done: The migrations that were run.
SELECT number FROM palaver.migrations ORDER BY number;

-- migrations_known: Whether any migration was ever run.
SELECT to_regclass('palaver.migrations') IS NOT NULL;

-- migration_note: Notes one.
INSERT INTO palaver.migrations (number, name) VALUES (%s, %s);

-- listen: Hears what others notify, to the end of the connection.
LISTEN palaver_events;

-- notify: Tells all who listen.
SELECT pg_notify('palaver_events', %s);
