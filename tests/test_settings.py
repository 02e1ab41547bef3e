"""Settings: where they come from, which one wins, and what is said when one is wrong."""

from __future__ import annotations

import os
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from palaver.errors import BadSetting
from palaver.settings import Policy, Settings, UserSettings, known_settings, system_timezone


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("PALAVER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))


def write_config(home: Path, text: str | bytes) -> None:
    (home / "config.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())


def refusal(home: Path, **overrides: object) -> BadSetting:
    with pytest.raises(BadSetting) as caught:
        Settings.load(home, **overrides)
    return caught.value


def test_defaults(tmp_path: Path) -> None:
    found = Settings.load()
    assert found.home == tmp_path / "nobody" / ".palaver"
    assert (found.server.host, found.server.port) == ("127.0.0.1", 8420)
    assert found.agent.name == "Palaver"
    assert found.database.url is None


def test_arguments_go_before_environment_before_file_before_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Settings.load(tmp_path).server.port == 8420
    write_config(tmp_path, "server: {port: 1, host: localhost}")
    assert Settings.load(tmp_path).server.port == 1
    monkeypatch.setenv("PALAVER_SERVER__PORT", "2")
    assert Settings.load(tmp_path).server.port == 2
    found = Settings.load(tmp_path, server__port=3)
    assert (found.server.port, found.server.host) == (3, "localhost")


def test_short_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALAVER_HOME", str(tmp_path))
    monkeypatch.setenv("PALAVER_PORT", "9000")
    found = Settings.load()
    assert (found.home, found.server.port) == (tmp_path, 9000)


def test_the_home_given_as_argument_holds_the_file_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_HOME", str(tmp_path / "elsewhere"))
    write_config(tmp_path, "agent: {name: Nina}")
    assert Settings.load(tmp_path).agent.name == "Nina"
    assert Settings.load().agent.name == "Palaver"


def test_a_relative_home_and_a_tilde_become_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings.load("here").home == tmp_path / "here"
    assert Settings.load("~/there").home == tmp_path / "nobody" / "there"


@pytest.mark.parametrize("empty", ["", "~", "null", "server:\n", "server: {port: }", "# nothing\n"])
def test_an_empty_value_counts_as_not_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty: str
) -> None:
    write_config(tmp_path, empty)
    monkeypatch.setenv("PALAVER_PORT", "")
    assert Settings.load(tmp_path, server__port=None, server__host="").server.port == 8420


def test_variables_of_the_tests_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_TEST_WHATEVER", "1")
    Settings.load(tmp_path)


def test_a_byte_order_mark_is_no_error(tmp_path: Path) -> None:
    write_config(tmp_path, b"\xef\xbb\xbfserver: {port: 1}")
    assert Settings.load(tmp_path).server.port == 1


def test_values_of_the_file_are_text_as_in_the_environment(tmp_path: Path) -> None:
    write_config(tmp_path, "agent: {name: no}")
    assert Settings.load(tmp_path).agent.name == "no"


@pytest.mark.parametrize(
    ("text", "sentence", "remedy"),
    [
        (
            "server:\n  prot: 1",
            "server.prot is not a setting (line 2 of {}).",
            "Did you mean server.port?",
        ),
        ("serve: {port: 1}", "serve is not a setting (line 1 of {}).", "Did you mean server?"),
        ("xyzzy: 1", "xyzzy is not a setting (line 1 of {}).", "Correct it or remove it."),
        (
            "server: {port: abc}",
            "server.port must be a whole number, but line 1 of {} says 'abc'.",
            "Correct",
        ),
        (
            "server: {port: -1}",
            "server.port must be at least 0, but line 1 of {} says '-1'.",
            "Correct",
        ),
        ("agent: {name: ''}", "agent.name must not be empty, but line 1 of {} says ''.", "Correct"),
        (
            "server: {port: 1, port: 2}",
            "server.port is set twice: by line 1 of {} and by",
            "Keep one",
        ),
        (
            "server: {port: [1]}",
            "A list or group stands where one word belongs (line 1 of {}).",
            "Write",
        ),
        ("? [a]\n: b", "A list or group stands where one word belongs (line 1 of {}).", "Write"),
        ("server: 8420", "server is a group of settings (line 1 of {}).", "Write"),
        ("- server", "The file names no setting (line 1 of {}).", "Write"),
        (
            "home: /x",
            "home cannot be set in a file that lies in the home (line 1 of {}).",
            "Set it with",
        ),
        ("a:\n\tb: 1", "The YAML is broken in line 2 of {}: found character", "Write"),
        ("a: \x01", "The YAML is broken in {}: character 3 is not allowed.", "Remove"),
        (b"\xff", "{} is not UTF-8 text at byte 0.", "Save it as UTF-8."),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    tmp_path: Path, text: str | bytes, sentence: str, remedy: str
) -> None:
    write_config(tmp_path, text)
    error = refusal(tmp_path)
    assert error.message.startswith(sentence.format(tmp_path / "config.yaml"))
    assert error.remedy.startswith(remedy)
    assert "\n" not in error.message


@pytest.mark.parametrize(
    ("name", "value", "sentence", "remedy"),
    [
        (
            "PALAVER_PROT",
            "1",
            "PALAVER_PROT is not a setting (in the environment).",
            "Did you mean PALAVER_PORT?",
        ),
        (
            "PALAVER_SERVER_PORT",
            "1",
            "PALAVER_SERVER_PORT is not",
            "Did you mean PALAVER_SERVER__PORT?",
        ),
        (
            "PALAVER_PORT",
            "x",
            "server.port must be a whole number, but the variable PALAVER_PORT says 'x'.",
            "",
        ),
        ("PALAVER_PORT", "70000", "server.port must be at most 65535,", ""),
        ("PALAVER_USER__TIMEZONE", "Europe", "user.timezone must be the name of a time zone,", ""),
        (
            "PALAVER_USER__TIMEZONE",
            "../../etc/passwd",
            "user.timezone must be the name of a time",
            "",
        ),
        ("PALAVER_HOME", "~no-such-user/x", "home must be a folder of a user that exists,", ""),
    ],
)
def test_a_bad_variable_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str, remedy: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadSetting) as caught:
        Settings.load()
    assert caught.value.message.startswith(sentence)
    assert caught.value.remedy.startswith(remedy)


@pytest.mark.parametrize("url", ["me:secret@host/db", "mysql://me:secret@host", "host=a user=b"])
def test_another_address_than_postgresql_is_refused_without_being_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("PALAVER_DATABASE_URL", url)
    error = refusal(tmp_path)
    assert error.message == (
        "database.url must be an address such as postgresql://user@host:5432/database, "
        "but the variable PALAVER_DATABASE_URL sets it."
    )
    assert "the argument sets it" in refusal(tmp_path, database__url=url).message


@pytest.mark.parametrize("written", ["me:sec@ret@host/db", "me:sec/ret@host/db", "me:a?b@host/db"])
def test_no_part_of_a_password_is_taken_for_the_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.setenv("PALAVER_DATABASE_URL", f"postgresql://{written}")
    assert refusal(tmp_path).message == (
        "database.url must have special characters written as %40 and the like, "
        "but the variable PALAVER_DATABASE_URL sets it."
    )
    monkeypatch.setenv("PALAVER_DATABASE_URL", "postgresql://me:sec%40ret@host/db")
    assert Settings.load(tmp_path).database.url


def test_a_database_is_named_in_any_place_and_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (f"postgresql://me:hush@{host}/db" for host in ("one", "other"))
    write_config(tmp_path, f"database: {{url: '{one}'}}")
    assert Settings.load(tmp_path).database.url == one
    monkeypatch.setenv("PALAVER_DATABASE_URL", other)
    found = Settings.load(tmp_path)
    assert found.database.url == other
    assert "hush" not in f"{found!r} {found}"


def test_settings_move_to_another_home_or_database(tmp_path: Path) -> None:
    settings = Settings.load(tmp_path, agent__name="Ada")
    moved = settings.moved(home=tmp_path / "other", database_url="postgresql://host/db")
    assert (moved.home, moved.agent.name) == (tmp_path / "other", "Ada")
    assert moved.database.url == "postgresql://host/db"
    assert moved.moved(home=tmp_path).database == moved.database
    assert settings.moved() == settings
    with pytest.raises(BadSetting, match="the argument sets it"):
        settings.moved(database_url="mysql://host")


def test_both_names_of_one_setting_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_PORT", "1")
    monkeypatch.setenv("PALAVER_SERVER__PORT", "2")
    assert refusal(tmp_path).message.startswith("server.port is set twice: by the variable")


def test_a_wrong_argument_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path, server__prt=1).remedy == "Did you mean server__port?"
    assert refusal(tmp_path, server__port="x").message.endswith("but the argument says 'x'.")


def test_a_config_that_is_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").mkdir()
    assert refusal(tmp_path).message == f"{tmp_path}/config.yaml cannot be read: is a directory."


def test_a_home_that_is_a_file_is_left_to_whoever_opens_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert Settings.load(tmp_path / "file").home == tmp_path / "file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_a_home_that_cannot_be_entered_is_left_to_whoever_opens_it(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0)
    assert Settings.load(closed).home == closed


@pytest.mark.parametrize(
    ("named", "link", "expected"),
    [
        ("Europe/Berlin", None, "Europe/Berlin"),
        (":Europe/Berlin", None, "Europe/Berlin"),
        ("CET-1CEST", None, "UTC"),
        ("", "/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
        ("", "../somewhere", "UTC"),
        ("", None, "UTC"),
    ],
)
def test_the_zone_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, link: str | None, expected: str
) -> None:
    localtime = tmp_path / "localtime"
    if link:
        localtime.symlink_to(link)
    monkeypatch.setattr("palaver.settings.values._LOCALTIME", localtime)
    monkeypatch.setenv("TZ", named)
    assert system_timezone() == expected


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://Palaver.example.org/", "https://palaver.example.org"),
        ("https://palaver.example.org:443", "https://palaver.example.org"),
        ("http://palaver.example.org:443", "http://palaver.example.org:443"),
        ("http://[2001:DB8::1]:8080", "http://[2001:db8::1]:8080"),
    ],
)
def test_a_public_site_is_kept_as_browsers_write_it(tmp_path: Path, given: str, kept: str) -> None:
    assert Settings.load(tmp_path, server__public_url=given).server.public_url == kept


@pytest.mark.parametrize(
    "given",
    ["palaver.example.org", "ftp://a.example", "https://a.example/p", "https://u@a.example", "x"],
)
def test_what_is_not_a_site_is_refused(tmp_path: Path, given: str) -> None:
    message = refusal(tmp_path, server__public_url=given).message
    assert message.startswith("server.publicUrl must be the address of a site")


def test_a_system_prompt_is_a_text_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("You are Nina.\n")
    given = {"You are kind.": "You are kind.", str(file): "You are Nina.", "/new\nis": "/new\nis"}
    for value, kept in given.items():
        assert Settings.load(tmp_path, agent__system_prompt=value).agent.system_prompt == kept


@pytest.mark.parametrize("name", ["absent.txt", "empty.txt", "latin.txt", "."])
def test_a_file_that_holds_no_prompt_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "latin.txt").write_bytes(b"\xe9")
    message = refusal(tmp_path, agent__system_prompt=f"{tmp_path}/{name}").message
    assert message.startswith("agent.systemPrompt must ")


_MODELS = """
agent:
  model: quick
  models:
    quick: {provider: ollama, model: "llama3.2:3b", window: 8192, thinking: "off"}
    dear-one: {provider: openai, model: gpt-6-sol, inputPrice: 2, outputPrice: 8.5}
  providers:
    ollama: {baseUrl: "http://localhost:11434/v1"}
    openai: {apiKey: sk-file}
"""


def test_models_and_providers_have_names_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config(tmp_path, _MODELS)
    monkeypatch.setenv("PALAVER_AGENT__PROVIDERS__OPENAI__API_KEY", "sk-environment")
    monkeypatch.setenv("PALAVER_AGENT__MODELS__MY_OWN__MODEL", "tiny")
    monkeypatch.setenv("PALAVER_AGENT__MODELS__MY_OWN__PROVIDER", "vllm")
    found = Settings.load(tmp_path, agent__providers__vllm__base_url="http://vllm:8000/v1").agent
    assert sorted(found.models) == ["dear-one", "my_own", "quick"]
    assert (found.model, found.models["quick"].window) == ("quick", 8192)
    assert found.models["dear-one"].output_price == 8.5
    assert found.providers["vllm"].base_url == "http://vllm:8000/v1"
    key = found.providers["openai"].api_key
    assert key is not None
    assert key.get_secret_value() == "sk-environment"


def test_a_key_is_never_shown(tmp_path: Path) -> None:
    write_config(tmp_path, _MODELS)
    found = Settings.load(tmp_path)
    assert "sk-file" not in f"{found!r} {found} {found.model_dump_json()} {found.model_dump()}"
    error = refusal(tmp_path, agent__providers__openai__api_key="sk-\u00fc")
    assert error.message == (
        "agent.providers.openai.apiKey must be a key as the provider wrote it, without spaces, "
        "but the argument sets it."
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("models: {Quick: {model: x}}", "'Quick' cannot be a name in agent.models (line 1 of {})."),
        ("models: {a.b: {model: x}}", "'a.b' cannot be a name in agent.models (line 1 of {})."),
        (
            "models: {quick: {model: x}}",
            "agent.models.quick.provider must be set, but line 1 of {} sets agent.models.quick.mod",
        ),
        (
            "models: {quick: {model: x, provider: y, window: 12}}",
            "agent.models.quick.window must be at least 1000, but line 1 of {} says '12'.",
        ),
        (
            "models: {quick: {model: x, provider: y, thinking: much}}",
            "agent.models.quick.thinking must be one of 'off', 'low', 'medium' or 'high', but",
        ),
        (
            "models: {quick: {modle: x}}",
            "agent.models.quick.modle is not a setting (line 1 of {}).",
        ),
        ("models: {quick: x}", "agent.models.quick is a group of settings (line 1 of {})."),
        (
            "providers: {ollama: {baseUrl: localhost}}",
            "agent.providers.ollama.baseUrl must be an address such as http://localhost:11434/v1, "
            "but line 1 of {} sets it.",
        ),
        ("providers: {o: {baseUrl: 'http://me:pw@host'}}", "agent.providers.o.baseUrl must be an"),
    ],
)
def test_what_is_wrong_with_a_model_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    write_config(tmp_path, f"agent: {{{text}}}")
    message = refusal(tmp_path).message
    assert message.startswith(sentence.format(tmp_path / "config.yaml"))
    assert "pw" not in message


def test_a_misspelt_variable_of_a_provider_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_AGENT__PROVIDERS__OPENAI__APIKEY", "sk-secret")
    error = refusal(tmp_path)
    assert error.message == (
        "PALAVER_AGENT__PROVIDERS__OPENAI__APIKEY is not a setting (in the environment)."
    )
    assert error.remedy == "Did you mean PALAVER_AGENT__PROVIDERS__*__API_KEY?"


@pytest.mark.parametrize(
    ("given", "seconds"), [("2s", 2), ("10m", 600), ("1h", 3600), ("7d", 604800)]
)
def test_a_length_of_time_has_a_unit(tmp_path: Path, given: str, seconds: int) -> None:
    settings = Settings.load(tmp_path, conversations__idle_timeout=given)
    assert settings.conversations.idle_after.total_seconds() == seconds


@pytest.mark.parametrize("given", ["10", "m", "1.5h", "-1s", "10 m", "ten minutes"])
def test_what_is_not_a_length_of_time_is_refused(tmp_path: Path, given: str) -> None:
    message = refusal(tmp_path, conversations__idle_timeout=given).message
    assert message.startswith("conversations.idleTimeout must be a length of time such as")


def test_zones_are_usable() -> None:
    assert UserSettings(timezone="UTC").zone is UTC
    assert UserSettings(timezone="Asia/Tokyo").zone == ZoneInfo("Asia/Tokyo")


def test_every_setting_is_known_by_its_dotted_name() -> None:
    names = """
        home server.host server.port server.publicUrl server.logLevel
        server.limits.messages server.limits.searches server.limits.sockets
        server.limits.megabytes user.timezone agent.name
        agent.systemPrompt agent.model
        agent.models.*.provider agent.models.*.model agent.models.*.window
        agent.models.*.maxTokens agent.models.*.thinking agent.models.*.inputPrice
        agent.models.*.outputPrice agent.models.*.cacheReadPrice
        agent.providers.*.apiKey agent.providers.*.baseUrl
        conversations.maxWorkingContext conversations.maxContextTokens
        conversations.reservedTokens conversations.maxHistoryMessages conversations.contextStrategy
        conversations.checkpointTurns conversations.idleTimeout
        continuous.windowTokens continuous.summaryEvery continuous.nightlyAt
        memory.promoteEvery memory.contextLimit memory.approval
        index.embeddingModel index.abbreviationModel index.ranking index.vectorWeight
        index.lexicalWeight index.coveredPenalty database.url jobs.worker
    """
    every = "enabled user ownerIdentities role trust policy debounce"
    of_channels = {
        "whatsapp": "appSecret verifyToken accessToken phoneNumberId apiBase",
        "email": "address imapHost imapPort smtpHost smtpPort username password tls folders "
        "trustedAuthservIds",
        "telegram": "token secretToken mode apiBase",
        "plugins.*": "options",
    }
    channels = [
        f"channels.{channel}.{name}"
        for channel, own in of_channels.items()
        for name in f"{every} {own}".split()
    ]
    assert sorted(known_settings()) == sorted([*names.split(), *channels])


CHANNELS = """
channels:
  whatsapp:
    enabled: true
    appSecret: whisper
    ownerIdentities: ["+49 151 1", 49152]
    trust: {"+49 151 2": known}
    policy: draft
  email:
    ownerIdentities: {ann@example.org: usr-ann}
    trustedAuthservIds: [mx.example.org]
    policy: {known: answer, untrusted: ignore, scope: Opening hours.}
  plugins:
    matrix: {enabled: true, options: {room: home}}
"""


def test_channels_take_lists_and_groups(tmp_path: Path) -> None:
    write_config(tmp_path, CHANNELS)
    channels = Settings.load(tmp_path).channels
    assert channels.whatsapp.owner_identities == {"+49 151 1": "", "49152": ""}
    assert channels.whatsapp.trust == {"+49 151 2": "known"}
    assert channels.whatsapp.policy == Policy(known="draft", untrusted="acknowledge")
    assert channels.email.owner_identities == {"ann@example.org": "usr-ann"}
    assert channels.email.trusted_authserv_ids == ["mx.example.org"]
    assert channels.email.policy.scope == "Opening hours."
    assert list(channels.enabled()) == ["whatsapp", "matrix"]
    assert channels.plugins["matrix"].options == {"room": "home"}
    assert "whisper" not in repr(channels)
    assert channels.of("telegram") is channels.telegram
    assert channels.of("pigeon") is None


def test_channels_take_json_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_CHANNELS__EMAIL__OWNER_IDENTITIES", '["a@b.example"]')
    monkeypatch.setenv("PALAVER_CHANNELS__TELEGRAM__OWNER_IDENTITIES", "4711")
    monkeypatch.setenv("PALAVER_CHANNELS__EMAIL__DEBOUNCE", "1m")
    channels = Settings.load(tmp_path).channels
    assert channels.email.owner_identities == {"a@b.example": ""}
    assert channels.telegram.owner_identities == {"4711": ""}
    assert channels.email.debounce_after.total_seconds() == 60


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("whatsapp: {appSecret: 'a b'}", "must be a key as the provider wrote it"),
        ("whatsapp: {policy: {untrusted: answer}}", "must not answer those who are untrusted"),
        ("whatsapp: {policy: shout}", "must be one of 'answer', 'draft', 'acknowledge'"),
        ("email: {trust: {a@b.example: friend}}", "must be one of 'known' or 'untrusted'"),
        ("email: {address: nobody}", "channels.email.address is not valid"),
        ("pigeon: {enabled: true}", "channels.pigeon is not a setting"),
        ("email: {enabled: [true]}", "A list or group stands where one word belongs"),
    ],
)
def test_channels_say_what_is_wrong(tmp_path: Path, given: str, complaint: str) -> None:
    write_config(tmp_path, f"channels: {{{given}}}")
    error = refusal(tmp_path)
    assert complaint in error.message
    assert "a b" not in error.message
