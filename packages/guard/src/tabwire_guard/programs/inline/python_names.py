"""What python code may name and still do nothing but compute, look and print.

A name that is not here is asked about, whether it is called, passed on or only named: so a
function that does harm has no way into the code, and what is done with the others is harmless.
"""

BUILTINS = frozenset(
    """
    print len str int float list dict set tuple sorted sum min max range enumerate zip map
    filter any all abs round repr type isinstance issubclass hex bin oct ord chr bool bytes
    bytearray format reversed next iter divmod pow dir id hash callable hasattr frozenset slice
    complex ascii object super property staticmethod classmethod exit quit Ellipsis NotImplemented
    Exception BaseException ValueError TypeError KeyError IndexError AttributeError ImportError
    ModuleNotFoundError RuntimeError NameError OSError FileNotFoundError ZeroDivisionError
    StopIteration AssertionError SystemExit KeyboardInterrupt ArithmeticError OverflowError
    UnicodeDecodeError UnicodeEncodeError UnicodeError LookupError NotImplementedError EOFError
    PermissionError FileExistsError IsADirectoryError NotADirectoryError Warning UserWarning
    DeprecationWarning RecursionError TimeoutError ConnectionError SyntaxError MemoryError
    __name__ __file__ __doc__
    """.split()
)

_LISTS = {
    "sys": """version version_info executable platform maxsize argv byteorder getsizeof exit
        getrecursionlimit getdefaultencoding stdin stdout stderr implementation prefix base_prefix
        exec_prefix flags hexversion float_info int_info maxunicode stdlib_module_names
        builtin_module_names api_version getfilesystemencoding getwindowsversion copyright
        is_finalizing getrefcount orig_argv platlibdir thread_info hash_info""",
    "json": "loads dumps load dump JSONDecodeError JSONEncoder JSONDecoder",
    "re": """compile match search findall finditer sub subn split fullmatch escape I IGNORECASE M
        MULTILINE S DOTALL X VERBOSE A ASCII error Pattern Match""",
    "datetime": "datetime date time timedelta timezone UTC tzinfo MINYEAR MAXYEAR",
    "time": """time sleep perf_counter perf_counter_ns monotonic monotonic_ns process_time strftime
        strptime gmtime localtime mktime ctime asctime time_ns tzname timezone altzone daylight""",
    "platform": """system machine node release processor version python_version platform uname
        architecture mac_ver win32_ver libc_ver python_implementation python_compiler
        python_build python_version_tuple freedesktop_os_release win32_edition""",
    "string": """ascii_letters ascii_lowercase ascii_uppercase digits hexdigits octdigits
        punctuation printable whitespace capwords""",
    "itertools": """chain product permutations combinations accumulate count cycle repeat islice
        groupby zip_longest takewhile dropwhile starmap tee compress pairwise batched filterfalse
        combinations_with_replacement""",
    "functools": "reduce partial lru_cache cache cmp_to_key wraps total_ordering singledispatch",
    "collections": """Counter defaultdict OrderedDict namedtuple deque ChainMap UserDict UserList
        abc""",
    "statistics": """mean median stdev pstdev variance pvariance mode fmean quantiles median_low
        median_high multimode harmonic_mean geometric_mean correlation linear_regression""",
    "decimal": "Decimal getcontext localcontext Context ROUND_HALF_UP ROUND_DOWN ROUND_UP",
    "fractions": "Fraction",
    "random": """random randint choice choices shuffle uniform seed sample randrange gauss
        getrandbits Random SystemRandom normalvariate randbytes""",
    "hashlib": """sha256 md5 sha1 sha512 sha384 sha224 blake2b blake2s sha3_256 sha3_512 new
        algorithms_available algorithms_guaranteed pbkdf2_hmac scrypt""",
    "base64": """b64encode b64decode urlsafe_b64encode urlsafe_b64decode b32encode b32decode
        b16encode b16decode b85encode b85decode standard_b64encode standard_b64decode""",
    "textwrap": "dedent indent fill wrap shorten",
    "uuid": "uuid1 uuid3 uuid4 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL",
    "sysconfig": """get_paths get_path get_config_var get_config_vars get_platform
        get_python_version get_scheme_names get_default_scheme""",
    "pprint": "pprint pformat pp",
    "csv": "reader DictReader writer DictWriter QUOTE_ALL QUOTE_MINIMAL Sniffer",
    "io": "StringIO BytesIO",
    "operator": """add sub mul truediv floordiv mod neg eq ne lt le gt ge itemgetter and_ or_ xor
        not_ contains concat""",
    "enum": "Enum IntEnum Flag auto StrEnum unique",
    "dataclasses": "dataclass field asdict astuple fields replace is_dataclass",
    "unicodedata": "name normalize category lookup numeric digit bidirectional unidata_version",
    "bisect": "bisect bisect_left bisect_right insort insort_left insort_right",
    "heapq": "heappush heappop heapify nlargest nsmallest heapreplace heappushpop merge",
    "copy": "copy deepcopy",
    "locale": "getlocale getpreferredencoding getdefaultlocale localeconv",
    "calendar": """month calendar monthrange isleap prmonth prcal day_name month_name
        TextCalendar timegm weekday leapdays""",
    "zoneinfo": "ZoneInfo available_timezones",
    "difflib": "unified_diff SequenceMatcher get_close_matches ndiff context_diff",
    "html": "escape unescape",
    "ast": "literal_eval parse dump unparse walk",
    "keyword": "kwlist iskeyword softkwlist",
    "tomllib": "load loads TOMLDecodeError",
    "struct": "pack unpack calcsize unpack_from pack_into Struct error",
    "binascii": "hexlify unhexlify crc32 b2a_hex a2b_hex b2a_base64 a2b_base64",
    "zlib": "crc32 adler32 compress decompress",
    "secrets": "token_hex token_urlsafe token_bytes choice randbelow randbits",
    "ipaddress": "ip_address ip_network ip_interface IPv4Address IPv4Network IPv6Address",
    "urllib.parse": """quote unquote urlparse parse_qs urlencode quote_plus unquote_plus urlsplit
        urljoin parse_qsl urlunparse""",
    "importlib.metadata": "version metadata distributions requires packages_distributions",
    "colorsys": "rgb_to_hsv hsv_to_rgb rgb_to_hls hls_to_rgb",
    "array": "array",
    "contextlib": "suppress contextmanager closing nullcontext redirect_stdout",
    "typing": """List Dict Optional Any Union Callable Iterable Tuple Set NamedTuple TypedDict
        Literal Final TypeVar Generic Protocol cast TYPE_CHECKING""",
    "types": "SimpleNamespace MappingProxyType",
    "os": """getcwd listdir cpu_count getpid getppid name sep linesep curdir pardir pathsep uname
        get_terminal_size stat scandir walk fspath getuid getgid altsep devnull extsep
        getloadavg process_cpu_count""",
    "os.path": """exists join basename dirname isfile isdir abspath getsize splitext expanduser
        realpath relpath getmtime commonpath commonprefix islink isabs normpath split sep""",
    "pathlib": "Path PurePath PosixPath PurePosixPath WindowsPath PureWindowsPath",
    "glob": "glob iglob",
    "shutil": "which disk_usage get_terminal_size",
    "sqlite3": "sqlite_version version sqlite_version_info version_info",
    "ssl": "OPENSSL_VERSION OPENSSL_VERSION_INFO",
    "__future__": "annotations",
    "logging": "__version__",
    "socket": "gethostname",
    "multiprocessing": "cpu_count",
    "inspect": "cleandoc",
    "importlib.util": "",
    "site": "",
    "subprocess": "",
    "tkinter": "TkVersion TclVersion",
    "torch": """tensor zeros ones rand randn arange version device float32 float16 bfloat16""",
    "torch.cuda": """is_available device_count current_device get_device_name
        get_device_properties get_device_capability is_bf16_supported memory_allocated
        mem_get_info""",
    "torch.version": "cuda hip",
    "torch.backends.cudnn": "version is_available enabled",
    "torch.backends.mps": "is_available is_built",
    "tensorflow.config": "list_physical_devices",
    "jax": "devices device_count default_backend",
    "numpy": """array zeros ones arange dot linspace mean std var sum sqrt pi eye sin cos tan exp
        log abs max min argmax argmin argsort sort unique concatenate stack reshape median
        cumsum prod round floor ceil float32 float64 int32 int64 ndarray nan inf isnan
        allclose where clip outer matmul cross transpose full empty identity diag""",
    "numpy.linalg": "norm inv det eig solve svd matrix_rank",
    "numpy.random": "rand randn randint seed default_rng random normal uniform choice",
    "pandas": "DataFrame Series Timestamp Timedelta date_range to_datetime NaT NA isna notna",
    "django": "get_version",
    "yaml": "safe_load safe_load_all safe_dump dump YAMLError SafeLoader CSafeLoader SafeDumper",
    "toml": "loads dumps TomlDecodeError",
    "sklearn": "show_versions",
}
READERS = {
    "pandas": frozenset(
        """read_csv read_parquet read_json read_excel read_table read_fwf read_feather read_orc
        read_stata read_sas read_spss""".split()
    ),
    "polars": frozenset(
        "read_csv read_parquet read_json read_ndjson read_excel scan_csv scan_parquet".split()
    ),
    "numpy": frozenset(("loadtxt", "genfromtxt")),
}
"""What reads a file that is named in its first argument, and runs nothing that stands in it."""

_OPEN = frozenset(("math", "cmath"))
"""All of their names compute."""

KNOWN: dict[str, frozenset[str]] = {name: frozenset(said.split()) for name, said in _LISTS.items()}

PACKAGES = frozenset(
    """
    numpy pandas torch tensorflow keras jax jaxlib scipy sklearn matplotlib seaborn plotly bokeh
    django flask fastapi starlette pydantic pydantic_core sqlalchemy alembic requests httpx aiohttp
    urllib3 certifi click typer rich tqdm yaml toml tomli tomlkit lxml bs4 PIL cv2 skimage
    transformers datasets tokenizers accelerate peft diffusers openai anthropic langchain
    langchain_core tiktoken huggingface_hub sentencepiece safetensors spacy nltk gensim xgboost
    lightgbm catboost statsmodels sympy networkx numba cython Cython dask polars pyarrow duckdb
    redis pymongo psycopg psycopg2 asyncpg pymysql mysql celery kombu pytest pytest_asyncio
    pytest_cov hypothesis coverage mock tox nox black isort flake8 pylint mypy ruff pip setuptools
    wheel build hatchling poetry pkg_resources packaging virtualenv jinja2 markupsafe werkzeug
    gunicorn uvicorn itsdangerous attr attrs cattrs marshmallow orjson ujson msgpack simplejson
    dateutil pytz tzdata arrow pendulum cryptography jwt bcrypt passlib boto3 botocore google grpc
    grpcio protobuf kubernetes docker paramiko scrapy selenium playwright streamlit gradio dash
    IPython jupyter notebook ipykernel nbformat loguru structlog sentry_sdk prometheus_client
    websockets trio anyio sniffio gevent eventlet twisted tornado regex chardet
    charset_normalizer idna six typing_extensions pygments docutils sphinx mkdocs markdown
    pygame pyglet shapely geopandas h5py xarray zarr cupy triton onnx onnxruntime torchvision
    torchaudio lightning pytorch_lightning wandb mlflow optuna ray psutil watchdog dotenv
    """.split()
)
"""Packages that many have: to import one is what every program of theirs does."""
TOLD = frozenset(
    "__version__ version VERSION __file__ __path__ __name__ __doc__ version_info __all__".split()
)
"""What every module may be asked for."""

METHODS = frozenset(
    """
    upper lower strip lstrip rstrip split rsplit splitlines join replace startswith endswith
    find rfind index rindex count title capitalize casefold swapcase format encode decode isdigit
    isalpha isalnum isnumeric isspace isupper islower isdecimal isidentifier isascii istitle zfill
    ljust rjust center partition rpartition removeprefix removesuffix expandtabs translate
    maketrans keys values items get append extend insert pop popitem popleft appendleft sort reverse
    copy update add discard remove clear setdefault fromkeys union intersection difference
    symmetric_difference issubset issuperset isdisjoint most_common elements total subtract rotate
    now today utcnow isoformat strftime strptime timestamp fromtimestamp utcfromtimestamp date
    time total_seconds astimezone weekday isoweekday isocalendar fromisoformat combine ctime
    timetuple toordinal fromordinal utc match search findall finditer sub subn fullmatch group
    groups groupdict span start end hexdigest digest bit_length bit_count to_bytes from_bytes
    is_integer as_integer_ratio fromhex hex conjugate limit_denominator quantize getvalue read
    readline readlines fileno isatty exists is_file is_dir is_symlink is_absolute resolve absolute
    iterdir glob rglob cwd joinpath with_suffix with_name with_stem relative_to is_relative_to
    as_posix as_uri stat expanduser tolist item astype reshape mean std var sum min max argmax
    argmin cumsum dot transpose flatten ravel head tail describe nunique unique isna isnull notna
    dropna fillna groupby sort_values reset_index set_index value_counts to_dict to_list
    to_numpy size flush cuda close send throw hosts subnets supernet overlaps ratio
    get_matching_blocks get_opcodes formatmonth formatyear writerow writerows writeheader
    cache_info cache_clear pprint seek tell readable info corr nlargest nsmallest quantile
    isin between idxmax idxmin duplicated drop_duplicates sample memory_usage select_dtypes
    n_unique null_count to_string to_markdown
    """.split()
)
DATA = frozenset(
    """
    shape dtype ndim T schema width height empty name stem suffix suffixes parent parents parts
    anchor drive root st_size
    st_mtime st_mode st_ctime major minor micro releaselevel serial year month day hour minute
    second microsecond tzinfo days seconds microseconds real imag numerator denominator args
    string pattern flags pos lastindex value cache_tag release version system machine node
    processor total used free columns lines index values iloc loc dtypes buffer encoding netloc
    scheme path fragment hostname port params bytes int urn msg lineno colno
    total_memory multi_processor_count first last left right username elapsed children body id
    targets func attr n s metadata line_num fieldnames dialect num_addresses network_address
    broadcast_address prefixlen netmask is_private is_loopback is_global
    """.split()
)


def known(module: str, name: str) -> bool:
    """Whether a module's name may stand in harmless code."""
    if module in _OPEN:
        return not name.startswith("_")
    return name in TOLD or name in KNOWN.get(module, ())


def is_module(name: str) -> bool:
    """Whether it is the name of a module, or of a package that holds one."""
    return (
        name in KNOWN
        or name in _OPEN
        or name in PACKAGES
        or any(one.startswith(f"{name}.") for one in KNOWN)
    )
