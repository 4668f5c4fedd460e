"""The tools by which frameworks change databases, and what else they do."""

import re
from collections.abc import Sequence

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.foreign_paths import unknown
from tabwire_guard.programs.packages.sources import LOCAL_TOOLS, PYTHON_TOOLS, file
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    deny,
    elsewhere,
    flag,
    has,
    is_url,
    loads,
    loads_in,
    outside,
)
from tabwire_guard.values import Value

DROPS = deny("database.drop", "drops the database, or empties it")
EMPTIES = ask("database.empty", "empties the development database")
WRITES = ask("database.write", "changes the database")
SHELL = ask("run.typed", "runs whatever is typed, or code given in its arguments")
DEPLOYS = ask("cloud.change", "changes what is running")


def _django_writes(call: Call, args: list[Value]) -> None:
    for one in options(args, words("-o --output -e --exclude")).values("-o", "--output"):
        call.writes(one)
    if flag(args, ("-c", "--clear")):
        call.ask("delete.build", "deletes the files that it collected before")


_DJANGO = Verbs(
    [
        (PASS, """check test showmigrations sqlmigrate makemigrations runserver diffsettings
            inspectdb findstatic startapp makemessages compilemessages show_urls version help
            validate_templates runserver_plus graph_models list_model_info show_template_tags
            testserver spectacular sqlsequencereset sqlflush optimizemigration
            squashmigrations"""),
        (_django_writes, "collectstatic dumpdata"),
        (EMPTIES, "flush"),
        (WRITES, """migrate loaddata createsuperuser changepassword createcachetable clearsessions
            remove_stale_contenttypes sync_translation_fields rebuild_index update_index"""),
        (DROPS, "reset_db reset_schema drop_test_database delete_squashed_migrations clear_index"),
        (SHELL, "shell shell_plus runscript dbshell runjob runjobs sendtestemail"),
        (deny("secret.read", "prints secrets"), "print_settings generate_secret_key"),
    ],
    takes="--settings --pythonpath -v --verbosity",
    flags="--no-color --force-color --traceback --skip-checks",
    options={"--template --testrunner": ask("option.code", "names code or a template to take")},
    files=True,
    quiet="-o --output",
)  # fmt: skip


def _make(call: Call, args: list[Value]) -> None:
    """`make:model`, `make:migration` write files of the project."""
    if not args[0].text.startswith("make:"):
        call.ask("unknown.verb", f"the effect of artisan {args[0].shown} is unknown")


_ARTISAN = Verbs(
    [
        (PASS, """list about env route:list test serve migrate:status inspire help optimize
            config:show schedule:list event:list model:show db:show db:table queue:monitor
            channel:list view:cache route:cache config:cache event:cache optimize:clear
            view:clear route:clear config:clear cache:clear event:clear lang:publish
            package:discover"""),
        (DROPS, "migrate:fresh migrate:reset migrate:refresh db:wipe"),
        (WRITES, """migrate migrate:rollback migrate:install db:seed queue:clear queue:flush
            queue:work queue:retry"""),
        (ask("artisan.change", "changes settings or what is running"), """key:generate down up
            storage:link vendor:publish schedule:run schedule:work queue:restart queue:listen
            install breeze:install jetstream:install telescope:install horizon
            passport:install stub:publish"""),
        (SHELL, "tinker"),
        (deny("secret.read", "prints secrets"), "env:decrypt"),
    ],
    other=_make,
    flags="-q --quiet -n --no-interaction --ansi --no-ansi -v",
)  # fmt: skip


def manage_py(call: Call, args: Sequence[Value]) -> None:
    """Django's `manage.py VERB …`: `args` start with the verb."""
    loads_in(call, args, words("--settings-file --pythonpath"))
    if [one.text for one in args[:1]] == ["runserver"] and any(
        one.text.startswith("0.0.0.0") or one.text.startswith("0:") for one in args
    ):
        call.ask("network.listen", "accepts connections from other machines")
    if [one.text for one in args[:1]] == ["test"]:
        takes = words("--settings --pythonpath -v --verbosity -k --tag -t --pattern -p --parallel")
        for one in options(args[1:], takes | {"--exclude-tag"}).operands:
            if outside(call, one) is not None or (one.holed and unknown(call, one)):
                loads(call, one, "what it runs:")
    _DJANGO(call, args)


def artisan(call: Call, args: Sequence[Value]) -> None:
    """Laravel's `artisan VERB …`: `args` start with the verb."""
    _ARTISAN(call, args)


@program("django-admin", "manage.py", runs_project=True)
def django(call: Call) -> None:
    """Django by its own name."""
    manage_py(call, call.args)


@program("artisan", "sail", runs_project=True)
def laravel(call: Call) -> None:
    """Laravel by its own name."""
    artisan(call, call.args)


def _runner(call: Call, args: list[Value]) -> None:
    SHELL.of(call, f"{call.said} runner:")
    for one in options(args).operands[:1]:
        if re.search(
            r"delete_all|destroy_all|drop|truncate|system|exec|`|File\.|FileUtils", one.text
        ):
            call.deny("database.drop", "the code deletes data or reaches outside the application")


def _rails_test(call: Call, args: list[Value]) -> None:
    for one in options(args, words("-n --name -s --seed -e --environment")).operands:
        loads(call, one, "what it runs:")


_RAILS = Verbs(
    [
        (_rails_test, "test spec test:all test:system"),
        (PASS, """server s routes about notes stats generate g version db:migrate:status
            db:version middleware initializers zeitwerk:check
            tmp:create time:zones assets:precompile webpacker:compile"""),
        (WRITES, """db:migrate db:rollback db:seed db:create db:setup db:prepare
            db:migrate:up db:migrate:down db:migrate:redo db:fixtures:load db:environment:set
            action_text:install active_storage:install db:encryption:init db:schema:dump"""),
        (DROPS, """db:drop db:reset db:purge db:migrate:reset db:schema:load db:truncate_all
            db:seed:replant db:structure:load db:drop:all db:reset:all"""),
        (SHELL, "console c dbconsole db"),
        (_runner, "runner r"),
        (ask("delete.build", "deletes files"), """tmp:clear log:clear assets:clobber assets:clean
            destroy d"""),
        (ask("package.create", "makes a new application, or changes this one"), """new app:update
            plugin app:template"""),
        (deny("secret.read", "prints or changes secrets"), """credentials:show credentials:edit
            secret encrypted:show secrets:show"""),
    ],
    files=True,
)  # fmt: skip


@program("rails", runs_project=True)
def rails(call: Call) -> None:
    """Ruby on Rails."""
    _RAILS(call)


_ORMS = Verbs(
    [
        (PASS, """generate validate format version debug migrate/{status,diff} studio init check
            current history heads show branches migrate:list migrate:status info status
            migration/{generate, create,show,list} migration:{generate,create,show} seed:make
            migrate:make model:generate up:sql schema:log calculateChecksum update-sql
            updateSQL rollback-sql list_templates entity:create subscriber:create revision
            futureRollbackSQL tag-exists changelog-sync-sql dbdoc make-migrations"""),
        (WRITES, """migrate/{dev,deploy,resolve} migrate db/{pull,push,seed,execute} push pull
            introspect up upgrade downgrade stamp migrate:{latest,up,down,rollback} seed:run
            update rollback baseline repair migration/{up,down,run,revert}
            migration:{run,revert,up} db:{migrate,seed,create,push} db:migrate:undo
            db:seed:all db:seed:undo merge edit schema/{create,update} tag rollback-count
            changelogSync changelog-sync clear-checksums schema:sync update-count
            db:migrate:schema:timestamps:add db:seed:undo:all run apply redo fix"""),
        (DROPS, """migrate/reset clean drop dropAll drop-all schema/{drop,fresh} schema:drop
            db:drop db:reset migrate:fresh migration/{fresh,reset} db:migrate:undo:all
            migrate:rollback--all database/drop undo"""),
    ],
    takes="-c --config --schema -n --name -x --knexfile --env -url -user -password --url",
    options={
        "--force-reset --accept-data-loss": DROPS,
        "--force": ask("database.write", "does not ask for confirmation"),
    },
    files=True,
    quiet="-url --url",
)  # fmt: skip


@program(
    "prisma drizzle-kit knex sequelize sequelize-cli alembic flyway liquibase", runs_project=True
)
@program("typeorm mikro-orm dbmate migrate diesel sqlx sea-orm-cli atlas aerich", runs_project=True)
def orms(call: Call) -> None:
    """Migrations, whatever they are called."""
    loads_in(call, call.args, words("-c --config --schema --knexfile --require -r --dataSource -d"))
    texts = [text for text in call.texts if not text.startswith("-")]
    if call.name == "knex" and "--all" in call.texts and "migrate:rollback" in texts:
        DROPS.of(call, "knex migrate:rollback --all:")
    if call.name == "alembic" and texts[:2] == ["downgrade", "base"]:
        DROPS.of(call, "alembic downgrade base:")
    if call.name == "drizzle-kit" and texts[:1] == ["drop"]:
        call.ask("database.write", "drizzle-kit drop deletes a migration")
        return
    if call.name in ("dbmate", "migrate", "diesel", "sqlx") and has(
        call.args, ("drop", "reset", "down-to")
    ):
        DROPS.of(call, f"{call.said} drop:")
        return
    _ORMS(call)


@program("flask", runs_project=True)
def flask(call: Call) -> None:
    """Flask: a server, and database migrations."""
    loads_in(call, call.args, words("--app -A --env-file -e"))
    names = options(call.args, words("--app -A --env-file -e")).operands
    path = [one.text for one in names[:2]]
    if path[:1] == ["db"] and path[1:] not in (["current"], ["history"], ["heads"], ["show"]):
        WRITES.of(call, f"flask {' '.join(path)}:")
    elif path[:1] == ["run"]:
        if has(call.args, ("--host=0.0.0.0", "0.0.0.0")):
            call.ask("network.listen", "accepts connections from other machines")
    elif path[:1] not in (["routes"], ["db"], []):
        call.ask("unknown.verb", f"the effect of flask {' '.join(path)} is unknown")


@program(
    "uvicorn gunicorn hypercorn daphne fastapi streamlit celery puma rackup", runs_project=True
)
def servers(call: Call) -> None:
    """Servers of the project, on this machine."""
    if has(call.args, ("--host=0.0.0.0", "0.0.0.0")) or any(
        "0.0.0.0:" in text for text in call.texts
    ):
        call.ask("network.listen", f"{call.said} accepts connections from other machines")
    loading = words(
        """-c -C --config --app-dir --env-file --chdir --pythonpath --log-config -r --require
        --log-config-json --workdir"""
    )
    loads_in(call, call.args, loading)
    elsewhere(call, call.args, loading)
    if call.name == "rackup" and flag(call.args, ("-e", "--eval")):
        call.ask("run.inline", "rackup runs code given in its arguments")
    for one in options(call.args, loading | words("-b --bind -p --port -k -w -A -e")).operands:
        if is_url(one.text):
            file(call, one)
        elif outside(call, one) is not None:
            loads(call, one, "what it runs:")
    if call.name == "celery" and has(call.args, ("purge", "shutdown", "control", "call", "amqp")):
        WRITES.of(call, "celery:")


LOCAL_TOOLS |= {
    name: name
    for name in (
        "prisma",
        "drizzle-kit",
        "knex",
        "sequelize",
        "sequelize-cli",
        "typeorm",
        "mikro-orm",
    )
}
PYTHON_TOOLS.update(("alembic",))
