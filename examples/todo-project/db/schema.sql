CREATE TABLE task (
  id integer PRIMARY KEY,
  title text NOT NULL,
  state text NOT NULL DEFAULT 'todo' CHECK (state IN ('todo', 'doing', 'done')),
  due date NOT NULL
);

-- TODO: an index on due, once there are many tasks
CREATE VIEW overdue AS SELECT * FROM task WHERE state <> 'done' AND due < CURRENT_DATE;
