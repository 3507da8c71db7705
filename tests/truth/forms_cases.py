# -*- coding: utf-8 -*-
# Objects of the standard library whose forms are asked for (forms.py). A line: modules ; expression ; use of `obj`,
# which gives the same text for the same object. Executed by every Python; what cannot be made there is left out.
LINES = r"""
;iter([1,2,3]);list(obj)
;iter((1,2,3));list(obj)
;iter("abc");list(obj)
;iter(b"abc");len(list(obj))
;iter(bytearray(b"abc"));list(obj)
;iter(range(4));list(obj)
;iter(range(10**30,10**30+3));list(obj)
;iter({1:2,3:4});sorted(obj)
;iter({1:2,3:4}.values());sorted(obj)
;iter({1:2,3:4}.items());sorted(obj)
;iter({1,2,3});sorted(obj)
;iter(frozenset([1,2]));sorted(obj)
;iter([]);list(obj)
;iter(());list(obj)
;iter("");list(obj)
;reversed([1,2,3]);list(obj)
;reversed((1,2,3));list(obj)
;reversed("abc");list(obj)
;reversed(range(4));list(obj)
;reversed({1:2});list(obj)
;enumerate([5,6]);list(obj)
;enumerate([5,6],3);list(obj)
;enumerate("ab",10**30);list(obj)
;zip([1],[2]);list(obj)
;zip();list(obj)
;zip([1],[2],strict=True);list(obj)
;map(str,[1,2]);list(obj)
;map(pow,[1,2],[2,2]);list(obj)
;filter(None,[0,1]);list(obj)
;(lambda i: (next(i), i)[1])(iter([1,2,3]));list(obj)
;(lambda i: (next(i), i)[1])(iter((1,2,3)));list(obj)
;(lambda i: (next(i), i)[1])(iter("abc"));list(obj)
;(lambda i: (next(i), i)[1])(iter(range(5)));list(obj)
;(lambda i: (next(i), i)[1])(iter({1:2,3:4}));len(list(obj))
;(lambda i: (next(i), i)[1])(iter({1,2}));len(list(obj))
;(lambda i: (next(i), i)[1])(enumerate("abc"));list(obj)
;(lambda i: (next(i), i)[1])(reversed([1,2,3]));list(obj)
;(lambda i: (next(i), i)[1])(zip([1,2],[3,4]));list(obj)
;(lambda i: (list(i), i)[1])(iter([1,2,3]));list(obj)
;(lambda i: (list(i), i)[1])(iter((1,2,3)));list(obj)
;(lambda i: (list(i), i)[1])(iter("abc"));list(obj)
;(lambda i: (list(i), i)[1])(iter(range(3)));list(obj)
;(lambda i: (list(i), i)[1])(reversed([1,2,3]));list(obj)
;slice(1,2,3);[obj.start,obj.stop,obj.step]
;slice(None);[obj.start,obj.stop,obj.step]
;range(3);list(obj)
;range(1,10,3);list(obj)
;range(10**20);obj[5]
;range(0);len(obj)
;xrange(3);list(obj)
;xrange(1,10,3);list(obj)
;complex(1,2);[obj.real,obj.imag]
;bytearray(b"abc");len(obj)
;bytearray(b"");len(obj)
;bytearray(b"\xff\x00");list(obj)
;b"abc\xff";len(obj)
;frozenset([1,2]);sorted(obj)
;set([1,2]);sorted(obj)
;{1:2}.keys();sorted(obj)
;{1:2}.values();sorted(obj)
;{1:2}.items();sorted(obj)
;object();type(obj).__name__
;Ellipsis;obj is Ellipsis
;NotImplemented;obj is NotImplemented
;type(None);obj.__name__
;type(Ellipsis);obj.__name__
;Exception("a",1);list(obj.args)
;ValueError("x");list(obj.args)
;KeyError(1);list(obj.args)
;OSError(2,"no");[obj.errno,obj.strerror]
;OSError(2,"no","file");[obj.errno,obj.filename]
;OSError(2,"no","a",None,"b");[obj.errno,obj.filename,obj.filename2]
;OSError("x");list(obj.args)
;IOError(2,"no");[obj.errno,obj.strerror]
;FileNotFoundError(2,"no","f");[obj.errno,obj.filename]
;BlockingIOError(11,"a",3);[obj.errno,obj.characters_written]
;ConnectionError(1,"a");list(obj.args)
;SystemExit(3);obj.code
;StopIteration(4);list(obj.args)
;UnicodeDecodeError("utf-8",b"\xff",0,1,"bad");[obj.encoding,obj.start,obj.reason]
;UnicodeEncodeError("ascii",u"\xff",0,1,"bad");[obj.encoding,obj.start,obj.reason]
;UnicodeTranslateError(u"\xff",0,1,"bad");[obj.start,obj.reason]
;SyntaxError("m",("f",1,2,"t"));[obj.msg,obj.lineno]
;SyntaxError("m",("f",1,2,"t",1,3));[obj.msg,obj.lineno]
;SyntaxError("m");obj.msg
;ImportError("m");list(obj.args)
;ImportError("m",name="n",path="p");[obj.name,obj.path]
;ModuleNotFoundError("m",name="n");[obj.name]
;NameError("m",name="n");list(obj.args)
;AttributeError("m",name="n",obj=3);list(obj.args)
;ExceptionGroup("g",[ValueError(1)]);[obj.message,len(obj.exceptions)]
;BaseExceptionGroup("g",[KeyboardInterrupt()]);[obj.message,len(obj.exceptions)]
;(lambda e: (e.__dict__.update(a=1), e)[1])(ValueError("x"));[list(obj.args),obj.a]
;(lambda e: (e.add_note("n"), e)[1])(ValueError("x"));[list(obj.args),obj.__notes__]
;UserWarning("w");list(obj.args)
;DeprecationWarning("w");list(obj.args)
;EncodingWarning("w");list(obj.args)
itertools;itertools.count(3);next(obj)
itertools;itertools.count(3,2);[next(obj),next(obj)]
itertools;itertools.count(1.5,0.5);[next(obj),next(obj)]
itertools;itertools.count(10**30);next(obj)
itertools;itertools.cycle([1,2]);[next(obj),next(obj),next(obj)]
itertools;(lambda c:(next(c),c)[1])(itertools.cycle([1,2]));[next(obj),next(obj),next(obj)]
itertools;(lambda c:(next(c),next(c),next(c),c)[3])(itertools.cycle([1,2]));[next(obj),next(obj),next(obj)]
itertools;itertools.cycle("ab");[next(obj),next(obj),next(obj)]
itertools;itertools.cycle([]);list(obj)
itertools;itertools.repeat(1,3);list(obj)
itertools;itertools.repeat(1);next(obj)
itertools;itertools.chain([1],[2]);list(obj)
itertools;itertools.chain();list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.chain([1,2],[2]));list(obj)
itertools;itertools.chain.from_iterable([[1],[2]]);list(obj)
itertools;itertools.islice([1,2,3],2);list(obj)
itertools;itertools.islice([1,2,3],1,None);list(obj)
itertools;itertools.islice([1,2,3],0,3,2);list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.islice([1,2,3],3));list(obj)
itertools;(lambda c:(list(c),c)[1])(itertools.islice([1,2,3],2));list(obj)
itertools;itertools.product([1,2],"ab");[list(x) for x in obj]
itertools;itertools.product([1,2],repeat=2);[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.product([1,2],"ab"));[list(x) for x in obj]
itertools;(lambda c:(list(c),c)[1])(itertools.product([1,2],"ab"));[list(x) for x in obj]
itertools;itertools.permutations([1,2,3],2);[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.permutations([1,2,3]));[list(x) for x in obj]
itertools;(lambda c:(list(c),c)[1])(itertools.permutations([1,2]));[list(x) for x in obj]
itertools;itertools.combinations([1,2,3],2);[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.combinations([1,2,3],2));[list(x) for x in obj]
itertools;(lambda c:(list(c),c)[1])(itertools.combinations([1,2,3],2));[list(x) for x in obj]
itertools;itertools.combinations_with_replacement([1,2],2);[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.combinations_with_replacement([1,2],2));[list(x) for x in obj]
itertools;itertools.accumulate([1,2,3]);list(obj)
itertools;itertools.accumulate([1,2,3],max);list(obj)
itertools;itertools.accumulate([1,2,3],initial=10);list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.accumulate([1,2,3]));list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.accumulate([1,2,3],max));list(obj)
itertools;itertools.compress([1,2,3],[1,0,1]);list(obj)
itertools;itertools.takewhile(bool,[1,2,0,3]);list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.takewhile(bool,[1,2,0,3]));list(obj)
itertools;itertools.dropwhile(bool,[1,2,0,3]);list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.dropwhile(bool,[1,2,0,3]));list(obj)
itertools;itertools.filterfalse(None,[0,1]);list(obj)
itertools,operator;itertools.starmap(operator.add,[(1,2)]);list(obj)
itertools;itertools.zip_longest([1],[2,3]);[list(x) for x in obj]
itertools;itertools.zip_longest([1],[2,3],fillvalue=0);[list(x) for x in obj]
itertools;itertools.groupby([1,1,2]);[[k,list(g)] for k,g in obj]
itertools;itertools.groupby([1,1,2],str);[[k,list(g)] for k,g in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.groupby([1,1,2]));[[k,list(g)] for k,g in obj]
itertools;itertools.tee([1,2,3])[0];list(obj)
itertools;list(itertools.tee([1,2,3]));[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.tee([1,2,3])[0]);list(obj)
itertools;itertools.tee(iter("abc"),3)[1];list(obj)
itertools;itertools.pairwise([1,2,3]);[list(x) for x in obj]
itertools;itertools.batched([1,2,3],2);[list(x) for x in obj]
collections;collections.deque([1,2]);list(obj)
collections;collections.deque([1,2],5);[list(obj),obj.maxlen]
collections;collections.deque();list(obj)
collections;iter(collections.deque([1,2]));list(obj)
collections;reversed(collections.deque([1,2]));list(obj)
collections;collections.OrderedDict([(1,2)]);list(obj.items())
collections;collections.OrderedDict();list(obj.items())
collections;iter(collections.OrderedDict([(1,2)]));list(obj)
collections;collections.OrderedDict([(1,2)]).keys();list(obj)
collections;collections.OrderedDict([(1,2)]).items();[list(x) for x in obj]
collections;collections.Counter("aab");sorted(obj.items())
collections;collections.defaultdict(list,{1:[2]});[sorted(obj.items()),obj[5]]
collections;collections.defaultdict(None,{1:2});sorted(obj.items())
collections;collections.ChainMap({1:2},{3:4});sorted(obj.items())
collections;collections.UserDict({1:2});sorted(obj.items())
collections;collections.UserList([1]);list(obj)
collections;collections.UserString("ab");obj.upper()
functools;functools.partial(int,"11",base=2);obj()
functools;functools.partial(max,1);obj(2)
functools;functools.partial(len);obj([1])
functools;functools.partialmethod(int,1);list(obj.args)
functools;functools.cmp_to_key(max);type(obj).__name__
functools;functools.cached_property(len);obj.func is len
functools;functools.singledispatchmethod(len);obj.func is len
operator;operator.itemgetter(1);obj([5,6])
operator;operator.itemgetter(0,1);list(obj([5,6]))
operator;operator.itemgetter("a");obj({"a":1})
operator;operator.itemgetter(slice(1,2));obj([5,6])
operator;operator.attrgetter("real");obj(5)
operator;operator.attrgetter("real","imag");list(obj(5))
operator;operator.attrgetter("real.imag");obj(5)
operator;operator.methodcaller("upper");obj("a")
operator;operator.methodcaller("split","b");obj("abc")
operator;operator.methodcaller("split",sep="b");obj("abc")
operator;operator.methodcaller("split",sep="b",maxsplit=1);obj("abc")
datetime;datetime.date(2020,1,2);obj.isoformat()
datetime;datetime.datetime(2020,1,2,3,4,5,6);obj.isoformat()
datetime;datetime.datetime(2020,1,2,3,fold=1);[obj.isoformat(),obj.fold]
datetime;datetime.datetime(2020,1,2,tzinfo=datetime.timezone.utc);obj.isoformat()
datetime;datetime.time(1,2);obj.isoformat()
datetime;datetime.time(1,2,fold=1);[obj.isoformat(),obj.fold]
datetime;datetime.time(1,2,tzinfo=datetime.timezone.utc);obj.isoformat()
datetime;datetime.timedelta(1,2,3);obj.total_seconds()
datetime;datetime.timezone.utc;obj.utcoffset(None).total_seconds()
datetime;datetime.timezone(datetime.timedelta(hours=1));obj.utcoffset(None).total_seconds()
datetime;datetime.timezone(datetime.timedelta(hours=1),"X");obj.tzname(None)
datetime;datetime.tzinfo();type(obj).__name__
datetime;datetime.date.today().isocalendar();len(obj)
zoneinfo;zoneinfo.ZoneInfo("UTC");obj.key
decimal;decimal.Decimal("1.5");str(obj)
decimal;decimal.Decimal("NaN");str(obj)
decimal;decimal.Decimal("-Infinity");str(obj)
decimal;decimal.Context(prec=5);[obj.prec,obj.rounding]
decimal;decimal.Context(prec=5,rounding=decimal.ROUND_UP,traps=[decimal.Inexact]);[obj.prec,obj.rounding]
decimal;decimal.getcontext();obj.prec
decimal;decimal.BasicContext;obj.prec
decimal;decimal.Context().traps;type(obj).__name__
decimal;decimal.DecimalTuple(0,(1,),0);list(obj)
decimal;decimal.InvalidOperation("x");list(obj.args)
decimal;decimal.localcontext();type(obj).__name__
fractions;fractions.Fraction(1,3);str(obj)
fractions;fractions.Fraction(10**30,7);str(obj)
statistics;statistics.NormalDist(1,2);[obj.mean,obj.stdev]
statistics;statistics.StatisticsError("x");list(obj.args)
statistics;statistics.linear_regression([1,2,3],[1,2,3]);list(obj)
random;random.Random(1);[obj.random(),obj.gauss(0,1)]
random;random.Random(1);obj.randint(1,100)
random;(lambda r:(r.gauss(0,1),r)[1])(random.Random(1));obj.gauss(0,1)
random;random.SystemRandom();type(obj).__name__
array;array.array("i",[1,2]);list(obj)
array;array.array("d",[1.5]);list(obj)
array;array.array("b",[1]);list(obj)
array;array.array("B",[1]);list(obj)
array;array.array("h",[1]);list(obj)
array;array.array("H",[1]);list(obj)
array;array.array("I",[1]);list(obj)
array;array.array("l",[1]);list(obj)
array;array.array("L",[1]);list(obj)
array;array.array("q",[1]);list(obj)
array;array.array("Q",[1]);list(obj)
array;array.array("f",[1]);list(obj)
array;array.array("c","ab");obj.tostring()
array;array.array("u",u"ab");obj.tounicode()
array;array.array("w",u"ab");obj.tounicode()
array;array.array("i");list(obj)
array;iter(array.array("i",[1]));list(obj)
uuid;uuid.UUID(int=5);[str(obj),obj.is_safe.name if hasattr(obj,"is_safe") else "unknown"]
uuid;uuid.uuid4();obj.version
uuid;uuid.uuid1();obj.version
uuid;uuid.SafeUUID.safe;obj.name
ipaddress;ipaddress.ip_address(u"1.2.3.4");str(obj)
ipaddress;ipaddress.ip_address(u"::1");str(obj)
ipaddress;ipaddress.ip_address(u"fe80::1%eth0");str(obj)
ipaddress;ipaddress.ip_network(u"10.0.0.0/8");str(obj)
ipaddress;ipaddress.ip_network(u"2001:db8::/32");[str(obj), obj.num_addresses > 4]
ipaddress;ipaddress.ip_interface(u"10.0.0.1/8");[str(obj),str(obj.network)]
ipaddress;ipaddress.ip_interface(u"2001:db8::1/32");[str(obj),str(obj.network)]
pathlib;pathlib.PurePosixPath("a","b");[str(obj),list(obj.parts)]
pathlib;pathlib.PurePosixPath();str(obj)
pathlib;pathlib.PureWindowsPath("c:/a");[str(obj),list(obj.parts)]
pathlib;pathlib.Path("a/b");[str(obj),list(obj.parts)]
pathlib;pathlib.PurePosixPath("/a/b").parents;len(obj)
re;re.compile("a+");obj.match("aa").group()
re;re.compile(b"a+");len(obj.match(b"aa").group())
re;re.compile("a",re.I|re.M);obj.flags & 10
re;re.error("m");list(obj.args)
re;re.error("m","a",0);obj.msg
re;re.IGNORECASE;int(obj)
re;re.I|re.M;int(obj)
time;time.gmtime(0);list(obj)
time;time.struct_time((1,2,3,4,5,6,7,8,9));list(obj)
time;time.get_clock_info("time");type(obj).__name__
os;os.stat("/");len(obj)
os;os.stat_result(range(10));list(obj)
os;os.times();len(obj)
os;os.terminal_size((1,2));list(obj)
os;os.statvfs("/");len(obj)
os;os.uname();len(obj)
os;os.sched_param(3);obj.sched_priority
os;os.environ;type(obj).__name__
resource;resource.getrusage(0);len(obj)
pwd;pwd.getpwuid(0);obj.pw_uid
grp;grp.getgrgid(0);obj.gr_gid
sys;sys.version_info;len(obj)
sys;sys.flags;type(obj).__name__
sys;sys.float_info;obj.dig
sys;sys.hash_info;obj.width
sys;sys.int_info;len(obj)
sys;sys.thread_info;obj.name
sys;sys.implementation;obj.name
types;types.SimpleNamespace(a=1);obj.a
types;types.SimpleNamespace();repr(obj)
types;types.MappingProxyType({1:2});sorted(obj.items())
types;types.GenericAlias(list,(int,));repr(obj)
types;types.GenericAlias(list,(int,str));repr(obj)
types;types.DynamicClassAttribute(len);type(obj).__name__
types;list[int];repr(obj)
types;dict[str,list[int]];repr(obj)
types;tuple[int,...];repr(obj)
types;type[int];repr(obj)
types;int|str;repr(obj)
types;int|None;repr(obj)
types;list[int]|None;repr(obj)
types;(lambda: [*tuple[int,str]])();repr(obj)
typing;typing.List[int];repr(obj)
typing;typing.Dict[str,int];repr(obj)
typing;typing.Optional[int];repr(obj)
typing;typing.Union[int,str];repr(obj)
typing;typing.Tuple[int,str];repr(obj)
typing;typing.Tuple[int,...];repr(obj)
typing;typing.Callable[[int],str];repr(obj)
typing;typing.Callable[...,str];repr(obj)
typing;typing.Type[int];repr(obj)
typing;typing.Any;repr(obj)
typing;typing.NoReturn;repr(obj)
typing;typing.ClassVar[int];repr(obj)
typing;typing.Final[int];repr(obj)
typing;typing.Literal["a",1];repr(obj)
typing;typing.Annotated[int,"x"];repr(obj)
typing;typing.Iterable[int];repr(obj)
typing;typing.Mapping[str,int];repr(obj)
typing;typing.DefaultDict[str,int];repr(obj)
typing;typing.Deque[int];repr(obj)
typing;typing.Generator[int,int,int];repr(obj)
typing;typing.Awaitable[int];repr(obj)
typing;typing.ForwardRef("X");obj.__forward_arg__
typing;typing.List["X"];type(obj).__name__
typing;typing.AnyStr;repr(obj)
typing;typing.Text;repr(obj)
typing;typing.Self;repr(obj)
typing;typing.Unpack[tuple[int,str]];repr(obj)
typing;typing.Required[int];repr(obj)
typing;typing.NotRequired[int];repr(obj)
typing;typing.LiteralString;repr(obj)
typing;typing.Never;repr(obj)
typing;typing.Concatenate[int,...];repr(obj)
typing;typing.TypeGuard[int];repr(obj)
typing;typing.TypeIs[int];repr(obj)
typing;typing.ReadOnly[int];repr(obj)
typing;typing.NoDefault;repr(obj)
typing;typing.List;repr(obj)
typing;typing.Generic;repr(obj)
typing;typing.NamedTuple;repr(obj)
typing;typing.IO[str];repr(obj)
typing;typing.Pattern[str];repr(obj)
enum;enum.IntFlag;obj.__name__
enum;enum.auto();type(obj).__name__
enum;enum.STRICT;obj.name
enum;enum.Flag.__class__;obj.__name__
signal;signal.SIGTERM;int(obj)
signal;signal.Signals(15);int(obj)
signal;signal.Handlers(0);int(obj)
socket;socket.AF_INET;int(obj)
socket;socket.SOCK_STREAM;int(obj)
socket;socket.timeout("x");list(obj.args)
socket;socket.gaierror(1,"x");list(obj.args)
http;http.HTTPStatus.OK;int(obj)
http.client;http.client.HTTPException("x");list(obj.args)
http.client;http.client.IncompleteRead(b"ab");len(obj.partial)
http.client;http.client.BadStatusLine("x");obj.line
http.client;http.client.HTTPMessage();len(obj)
http.cookies;http.cookies.SimpleCookie("a=b");obj["a"].value
http.cookies;http.cookies.SimpleCookie("a=b")["a"];[obj.key,obj.value]
http.cookies;http.cookies.Morsel();obj.key
http.cookiejar;http.cookiejar.DefaultCookiePolicy();type(obj).__name__
http.cookiejar;http.cookiejar.Cookie(0,"n","v",None,False,"d",True,False,"/",True,False,None,True,None,None,{});[obj.name,obj.value]
ssl;ssl.CERT_NONE;int(obj)
ssl;ssl.PROTOCOL_TLS;int(obj)
inspect;inspect.signature(lambda a,b=1:0);str(obj)
inspect;inspect.Parameter("a",inspect.Parameter.KEYWORD_ONLY);str(obj)
inspect;inspect.Parameter.empty;obj.__name__
inspect;inspect.BoundArguments(inspect.signature(lambda a:0),collections.OrderedDict(a=1));type(obj).__name__
inspect;inspect.getfullargspec(lambda a:0);list(obj)[0]
inspect;inspect.Parameter.POSITIONAL_ONLY;int(obj)
logging;logging.LogRecord("n",10,"p",1,"m %d",(3,),None);[obj.getMessage(),obj.name]
logging;logging.getLogger("a.b");obj.name
logging;logging.getLogger();obj.name
logging;logging.Formatter("%(message)s");obj.format(logging.LogRecord("n",10,"p",1,"m",(),None))
logging;logging.Formatter("{message}",style="{");obj.format(logging.LogRecord("n",10,"p",1,"m",(),None))
logging;logging.Filter("a");obj.filter(logging.LogRecord("a.b",10,"p",1,"m",(),None))
logging;logging.PlaceHolder;obj.__name__
logging;logging.BufferingFormatter();obj.format([])
logging;logging.PercentStyle("%(message)s");obj.format(logging.LogRecord("n",10,"p",1,"m",(),None))
logging;logging.LoggerAdapter(logging.getLogger("q"),{"a":1});[obj.logger.name,obj.process("m",{})[0]]
argparse;argparse.Namespace(a=1);obj.a
argparse;argparse.ArgumentParser(prog="p");[obj.prog,vars(obj.parse_args([]))]
argparse;(lambda p:(p.add_argument("--x",type=int,default=1),p)[1])(argparse.ArgumentParser(prog="p"));vars(obj.parse_args(["--x","3"]))
argparse;(lambda p:(p.add_argument("--x",action="store_true"),p)[1])(argparse.ArgumentParser(prog="p"));[vars(obj.parse_args(["--x"])),len(obj.format_help())>4]
argparse;argparse.ArgumentTypeError("x");list(obj.args)
argparse;argparse.ArgumentError(None,"x");str(obj)
argparse;argparse.FileType("r");type(obj).__name__
optparse;optparse.Values({"a":1});obj.a
optparse;optparse.OptionParser(prog="p");obj.parse_args([])[1]
textwrap;textwrap.TextWrapper(width=10);obj.fill("aaa bbb ccc ddd")
calendar;calendar.TextCalendar();obj.formatmonth(2020,1)[:10]
calendar;calendar.Calendar(1);list(obj.iterweekdays())
calendar;calendar.HTMLCalendar();len(obj.formatmonth(2020,1))>5
calendar;calendar.MONDAY;int(obj)
calendar;calendar.IllegalMonthError(13);str(obj)[:3]
configparser;(lambda c:(c.read_string(u"[a]\nb=1\n"),c)[1])(configparser.ConfigParser());obj.get("a","b")
configparser;(lambda c:(c.read_string(u"[a]\nb=1\n"),c)[1])(configparser.RawConfigParser());[obj.get("a","b"),obj.sections()]
configparser;(lambda c:(c.read_string(u"[a]\nb=1\n"),c)[1])(configparser.ConfigParser());[obj.sections(),obj.has_option("a","b"),obj.getint("a","b"),obj.write(__import__("io").StringIO()),obj.read_string(u"[c]\nd=1\n")]
configparser;configparser.NoSectionError("a");obj.section
configparser;configparser.NoOptionError("a","b");obj.option
configparser;configparser.ParsingError("a");obj.source
configparser;configparser.DuplicateSectionError("a");obj.section
configparser;configparser.MissingSectionHeaderError("a",1,"l");obj.lineno
configparser;configparser.ExtendedInterpolation();type(obj).__name__
email.message;(lambda m:(m.__setitem__("a","b"),m.set_payload("x"),m)[2])(email.message.Message());[obj["a"],obj.get_payload(),obj.as_string()]
email.message;(lambda m:(m.__setitem__("a","b"),m.set_content("x"),m)[2])(email.message.EmailMessage());[obj["a"],obj.get_content()]
email.message;email.message.Message();[obj.as_string(),obj.is_multipart()]
email.mime.text;email.mime.text.MIMEText("hi");[obj.get_payload(),obj.as_string()]
email.mime.text;email.mime.text.MIMEText(u"h\xe9","plain","utf-8");[obj.get_payload(),obj.as_string()]
email.mime.multipart;email.mime.multipart.MIMEMultipart("mixed","bound");[obj.is_multipart(),obj.as_string()]
email.mime.base;email.mime.base.MIMEBase("a","b");obj.get_content_type()
email.policy;email.policy.default;[obj.max_line_length,obj.linesep]
email.policy;email.policy.compat32;[obj.max_line_length,obj.linesep]
email.policy;email.policy.SMTP;[obj.max_line_length,obj.linesep]
email.header;email.header.Header("a");str(obj)
email.header;email.header.Header(u"\xe9","utf-8");obj.encode()
email.charset;email.charset.Charset("utf-8");[str(obj),obj.get_body_encoding()]
email.headerregistry;email.headerregistry.Address("n","u","d.e");str(obj)
email.headerregistry;email.headerregistry.Group("n");str(obj)
email.headerregistry;email.headerregistry.HeaderRegistry();type(obj).__name__
email.errors;email.errors.HeaderParseError("x");list(obj.args)
email.errors;email.errors.InvalidBase64PaddingDefect();obj.line
email.parser;email.parser.Parser();obj.parsestr("a: b\n\nc")["a"]
email.generator;email.generator.Generator;obj.__name__
mailbox;mailbox.MaildirMessage();obj.get_subdir()
mailbox;mailbox.mboxMessage();obj.get_from()
mailbox;mailbox.Message();len(obj)
difflib;difflib.SequenceMatcher(None,"ab","ac");obj.ratio()
difflib;difflib.Match(1,2,3);list(obj)
difflib;difflib.Differ();list(obj.compare(["a\n"],["b\n"]))
difflib;difflib.HtmlDiff();len(obj.make_table(["a"],["b"]))>3
string;string.Template("$a");obj.substitute(a=1)
string;string.Formatter();obj.format("{}",1)
io;io.StringIO(u"abc");obj.read()
io;(lambda s:(s.read(1),s)[1])(io.StringIO(u"abc"));obj.read()
io;io.StringIO(u"abc",u"\n");obj.getvalue()
io;io.BytesIO(b"abc");len(obj.read())
io;(lambda s:(s.read(1),s)[1])(io.BytesIO(b"abc"));len(obj.read())
io;io.UnsupportedOperation("x");list(obj.args)
io;(lambda s:(setattr(s,"a",1),s)[1])(io.BytesIO(b"abc"));obj.a
urllib.parse;urllib.parse.urlparse("http://a/b;c?d=e#f");list(obj)
urllib.parse;urllib.parse.urlsplit("http://a/b?d=e#f");[list(obj),obj.netloc]
urllib.parse;urllib.parse.urldefrag("a#b");list(obj)
urllib.parse;urllib.parse.urlparse(b"http://a/b");len(obj)
urllib.error;urllib.error.URLError("x");obj.reason
urllib.error;urllib.error.HTTPError("u",404,"m",{},None);[obj.code,obj.reason]
urllib.error;urllib.error.ContentTooShortError("m",b"c");list(obj.args)[:1]
urllib.request;urllib.request.Request("http://a/b");[obj.full_url,obj.get_method(),obj.host]
urllib.request;urllib.request.Request("http://a/b",b"d",{"A":"b"});[obj.get_method(),obj.headers]
urllib.robotparser;urllib.robotparser.RobotFileParser();obj.mtime()
json;json.JSONDecodeError("m","doc",1);[obj.msg,obj.pos]
json;json.JSONEncoder();obj.encode([1])
json;json.JSONEncoder(indent=2);obj.encode([1])
json;json.JSONDecoder;obj.__name__
csv;csv.Error("x");list(obj.args)
csv;csv.excel();[obj.delimiter,obj.lineterminator]
csv;csv.Sniffer();obj.preferred
csv;csv.QUOTE_ALL;obj
queue;queue.Empty();list(obj.args)
queue;queue.Full();list(obj.args)
subprocess;subprocess.CalledProcessError(1,"c");[obj.returncode,obj.cmd]
subprocess;subprocess.CalledProcessError(1,"c","o","e");[obj.returncode,obj.cmd,obj.output]
subprocess;subprocess.TimeoutExpired("c",1);[obj.cmd,obj.timeout]
subprocess;subprocess.CompletedProcess("c",0,"o","e");[obj.args,obj.returncode,obj.stdout]
subprocess;subprocess.SubprocessError("x");list(obj.args)
concurrent.futures;concurrent.futures.TimeoutError("x");list(obj.args)
concurrent.futures;concurrent.futures.CancelledError("x");list(obj.args)
concurrent.futures;concurrent.futures.BrokenExecutor("x");list(obj.args)
asyncio;asyncio.TimeoutError("x");list(obj.args)
asyncio;asyncio.CancelledError("x");list(obj.args)
asyncio;asyncio.InvalidStateError("x");list(obj.args)
asyncio;asyncio.IncompleteReadError(b"a",3);[obj.expected]
asyncio;asyncio.LimitOverrunError("m",3);obj.consumed
asyncio;asyncio.Queue();type(obj).__name__
asyncio;asyncio.Event();type(obj).__name__
multiprocessing;multiprocessing.TimeoutError("x");list(obj.args)
multiprocessing;multiprocessing.ProcessError("x");list(obj.args)
contextlib;contextlib.ExitStack();type(obj).__name__
contextlib;contextlib.suppress(ValueError);type(obj).__name__
contextlib;contextlib.nullcontext(3);obj.enter_result
contextlib;contextlib.closing([1]);obj.thing
dataclasses;dataclasses.field(default=1);obj.default
dataclasses;dataclasses.MISSING;type(obj).__name__
dataclasses;dataclasses.FrozenInstanceError("x");list(obj.args)
dataclasses;dataclasses.InitVar[int];type(obj).__name__
dataclasses;dataclasses.KW_ONLY;type(obj).__name__
weakref;weakref.WeakKeyDictionary();len(obj)
weakref;weakref.WeakValueDictionary();len(obj)
weakref;weakref.WeakSet();len(obj)
abc;abc.ABCMeta;obj.__name__
copy;copy.Error("x");list(obj.args)
pickle;pickle.PicklingError("x");list(obj.args)
pickle;pickle.PickleBuffer(b"abc");type(obj).__name__
pickle;pickle.UnpicklingError("x");list(obj.args)
struct;struct.error("x");list(obj.args)
struct;struct.Struct("i");obj.size
zlib;zlib.error("x");list(obj.args)
zipfile;zipfile.ZipInfo("a");[obj.filename,obj.compress_type]
zipfile;zipfile.BadZipFile("x");list(obj.args)
zipfile;zipfile.Path;obj.__name__
tarfile;tarfile.TarInfo("a");[obj.name,obj.size]
tarfile;tarfile.ReadError("x");list(obj.args)
gzip;gzip.BadGzipFile("x");list(obj.args)
shutil;shutil.Error("x");list(obj.args)
shutil;shutil.disk_usage("/");len(obj)
shutil;shutil.SameFileError("x");list(obj.args)
tempfile;tempfile.TemporaryDirectory;obj.__name__
platform;platform.uname();[len(obj),obj.system]
platform;platform.uname();obj.system
ast;ast.parse("x=1");ast.dump(obj)[:6]
ast;ast.parse("def f(a,*b,c=1): return a");type(obj.body[0]).__name__
ast;ast.parse("f'{x}'");type(obj.body[0]).__name__
ast;ast.Name("a",ast.Load());obj.id
ast;ast.Load();type(obj).__name__
ast;ast.Constant(3);obj.value
ast;ast.Num(3);obj.n
tokenize;tokenize.TokenInfo(1,"a",(1,0),(1,1),"a");[obj.type,obj.string]
tokenize;tokenize.TokenError("x",(1,1));list(obj.args)[:1]
dis;list(dis.get_instructions(lambda:0))[0];type(obj).__name__
dis;dis.Bytecode;obj.__name__
traceback;traceback.FrameSummary("f",1,"n",lookup_line=False,line="l");[obj.filename,obj.lineno,obj.line]
traceback;traceback.StackSummary.from_list([("f",1,"n","l")]);[obj[0].lineno,len(obj.format())]
traceback;traceback.TracebackException(ValueError,ValueError("x"),None);[list(obj.format())[-1:]]
linecache;linecache.cache;type(obj).__name__
shlex;shlex.shlex;obj.__name__
sched;sched.Event(1,2,3,4,5);obj.priority
heapq;heapq.heappush;obj.__name__
gettext;gettext.NullTranslations();obj.gettext("a")
locale;locale.Error("x");list(obj.args)
codecs;codecs.lookup("utf-8");obj.name
codecs;codecs.BOM_UTF8;len(obj)
codecs;codecs.IncrementalDecoder();obj.errors
codecs;codecs.getincrementaldecoder("utf-8")();obj.decode(b"a")
encodings.utf_8;encodings.utf_8.IncrementalEncoder();len(obj.encode(u"a"))
unittest;unittest.TestCase("run");obj.id()[-3:]
unittest;unittest.TestSuite();obj.countTestCases()
unittest;unittest.TestResult();[obj.testsRun,obj.wasSuccessful()]
unittest;unittest.FunctionTestCase(len);type(obj).__name__
unittest;unittest.SkipTest("x");list(obj.args)
unittest;unittest.TestLoader();obj.testMethodPrefix
unittest.mock;unittest.mock.sentinel.a;obj.name
unittest.mock;unittest.mock.call(1);len(obj)
unittest.mock;unittest.mock.ANY;obj==5
doctest;doctest.Example("a","b");[obj.source,obj.want]
doctest;doctest.DocTestFailure(None,None,"x");obj.got
doctest;doctest.TestResults(1,2);list(obj)
doctest;doctest.OutputChecker();obj.check_output("a","a",0)
pstats;pstats.SortKey.CALLS;obj.name
cProfile;cProfile.Profile;obj.__name__
timeit;timeit.Timer;obj.__name__
xml.etree.ElementTree;xml.etree.ElementTree.fromstring("<a b='c'><d>t</d>x</a>");[obj.tag,obj.attrib,obj[0].text,obj[0].tail]
xml.etree.ElementTree;xml.etree.ElementTree.Element("a");[obj.tag,len(obj)]
xml.etree.ElementTree;xml.etree.ElementTree.ElementTree(xml.etree.ElementTree.Element("a"));obj.getroot().tag
xml.etree.ElementTree;xml.etree.ElementTree.QName("a","b");obj.text
xml.etree.ElementTree;xml.etree.ElementTree.Comment("a");obj.text
xml.etree.ElementTree;xml.etree.ElementTree.ParseError("x");list(obj.args)
xml.dom.minidom;xml.dom.minidom.parseString("<a b='c'>t</a>");obj.documentElement.toxml()
xml.dom.minidom;xml.dom.minidom.parseString("<a b='c'>t</a>").documentElement;[obj.tagName,obj.getAttribute("b")]
xml.dom;xml.dom.NotFoundErr("x");list(obj.args)
xml.sax;xml.sax.SAXException("x");obj.getMessage()
xml.sax;xml.sax.SAXParseException("x",None,xml.sax.xmlreader.Locator());obj.getMessage()
xml.sax.xmlreader;xml.sax.xmlreader.AttributesImpl({"a":"b"});[obj.getValue("a"),len(obj)]
xml.sax.xmlreader;xml.sax.xmlreader.AttributesNSImpl({},{});len(obj)
xml.sax.xmlreader;xml.sax.xmlreader.InputSource("a");obj.getSystemId()
xml.sax.handler;xml.sax.handler.ContentHandler();type(obj).__name__
xmlrpc.client;xmlrpc.client.DateTime("20200101T00:00:00");str(obj)
xmlrpc.client;xmlrpc.client.Binary(b"a");len(obj.data)
xmlrpc.client;xmlrpc.client.Fault(1,"x");[obj.faultCode,obj.faultString]
xmlrpc.client;xmlrpc.client.ProtocolError("u",1,"m",{});obj.errcode
plistlib;plistlib.UID(3);obj.data
plistlib;plistlib.FMT_XML;obj.name
ctypes;ctypes.c_int(3);obj.value
ctypes;ctypes.c_double(1.5);obj.value
ctypes;ctypes.c_char(b"a");len(obj.value)
ctypes;(ctypes.c_int*3)(1,2,3);list(obj)
ctypes;ctypes.c_bool(True);obj.value
ctypes;ctypes.ArgumentError("x");list(obj.args)
threading;threading.local;obj.__name__
threading;threading.BrokenBarrierError("x");list(obj.args)
threading;threading.RLock();type(obj).__name__
selectors;selectors.SelectorKey(1,2,3,4);list(obj)
select;select.error(1,"x");list(obj.args)
sqlite3;sqlite3.Error("x");list(obj.args)
sqlite3;sqlite3.Binary(b"a");type(obj).__name__
getopt;getopt.GetoptError("m","o");[obj.msg,obj.opt]
nturl2path;nturl2path.url2pathname;obj.__name__
filecmp;filecmp.dircmp("/","/");obj.left
fileinput;fileinput.FileInput;obj.__name__
cmd;cmd.Cmd;obj.__name__
code;code.InteractiveInterpreter({});type(obj).__name__
html.parser;html.parser.HTMLParser();[obj.feed("<a>"),obj.get_starttag_text()]
netrc;netrc.NetrcParseError("m","f",1);[obj.msg,obj.lineno]
numbers;numbers.Number;obj.__name__
cmath;cmath.sqrt;obj.__name__
graphlib;graphlib.TopologicalSorter({1:[2]});list(obj.static_order())
graphlib;graphlib.CycleError("m",[1]);list(obj.args)
importlib.machinery;importlib.machinery.ModuleSpec("a",None);obj.name
importlib.machinery;importlib.machinery.SourceFileLoader("a","b");[obj.name,obj.path]
importlib.metadata;importlib.metadata.PackageNotFoundError("x");list(obj.args)
importlib.metadata;importlib.metadata.EntryPoint("a","b","c");[obj.name,obj.value,obj.group]
importlib.resources;importlib.resources.files;obj.__name__
pkgutil;pkgutil.ModuleInfo(None,"a",False);obj.name
modulefinder;modulefinder.Module("a");obj.__name__
symtable;symtable.Symbol;obj.__name__
colorsys;colorsys.rgb_to_hsv;obj.__name__
wave;wave.Error("x");list(obj.args)
rlcompleter;rlcompleter.Completer({});type(obj).__name__
pprint;pprint.PrettyPrinter();obj.pformat([1])
reprlib;reprlib.Repr();obj.repr([1])
bdb;bdb.Breakpoint;obj.__name__
smtplib;smtplib.SMTPResponseException(1,"m");obj.smtp_code
smtplib;smtplib.SMTPRecipientsRefused({});obj.recipients
ftplib;ftplib.error_perm("x");list(obj.args)
tomllib;tomllib.TOMLDecodeError("x");list(obj.args)
binascii;binascii.Error("x");list(obj.args)
hashlib;hashlib.sha256;obj.__name__
hmac;hmac.compare_digest;obj.__name__
secrets;secrets.SystemRandom;obj.__name__
bisect;bisect.bisect;obj.__name__
imaplib;imaplib.IMAP4.error("x");list(obj.args)
sysconfig;sysconfig.get_path;obj.__name__
warnings;warnings.WarningMessage("m",UserWarning,"f",1);[str(obj.message),obj.lineno]
warnings;warnings.catch_warnings();type(obj).__name__
zipimport;zipimport.ZipImportError("x");list(obj.args)
concurrent.futures;concurrent.futures.Future();type(obj).__name__
ConfigParser;ConfigParser.NoSectionError("a");obj.section
StringIO;StringIO.StringIO("abc");obj.read()
cStringIO;cStringIO.StringIO("abc");obj.read()
Queue;Queue.Empty();list(obj.args)
UserDict;UserDict.UserDict({1:2});sorted(obj.items())
UserDict;UserDict.IterableUserDict({1:2});sorted(obj.items())
UserList;UserList.UserList([1]);list(obj)
UserString;UserString.UserString("ab");obj.upper()
Cookie;Cookie.SimpleCookie("a=b");obj["a"].value
urlparse;urlparse.urlparse("http://a/b;c?d=e#f");list(obj)
urllib2;urllib2.URLError("x");obj.reason
urllib2;urllib2.Request("http://a/b");obj.get_full_url()
httplib;httplib.BadStatusLine("x");obj.line
sets;sets.Set([1]);sorted(obj)
mimetools;mimetools.Message;obj.__name__
xmlrpclib;xmlrpclib.DateTime("20200101T00:00:00");str(obj)
xmlrpclib;xmlrpclib.Binary("a");obj.data
HTMLParser;HTMLParser.HTMLParser();obj.get_starttag_text()
cookielib;cookielib.DefaultCookiePolicy();type(obj).__name__
email.Message;email.Message.Message();obj.as_string()
exceptions;exceptions.ValueError("x");list(obj.args)
;UnicodeDecodeError("utf-8",b"ab",0,1,"bad");[obj.encoding,obj.start,obj.reason]
;UnicodeEncodeError("ascii",u"ab",0,1,"bad");[obj.encoding,obj.start,obj.reason]
;SyntaxError("m",("f",1,2,None));[obj.msg,obj.lineno]
;SyntaxError("m",("f",1,2,None,1,3));[obj.msg,obj.lineno]
;SyntaxError("m",(None,1,2,"t",1,3));[obj.msg,obj.lineno]
;IndentationError("m",("f",1,2,"t",1,3));[obj.msg,obj.lineno]
;TabError("m",("f",1,2,"t",1,3));[obj.msg,obj.lineno]
;range(-10**20,3);obj[1]
;range(0,10**20,10**19);obj[1]
;range(10**20,0,-1);obj[1]
itertools;(lambda c:(next(c),c)[1])(itertools.product([1,2],[3],[4,5]));[list(x) for x in obj]
itertools;(lambda c:(next(c),next(c),c)[2])(itertools.product([1,2],[3],[4,5]));[list(x) for x in obj]
itertools;(lambda c:(next(c),next(c),next(c),c)[3])(itertools.product([1,2],[4,5]));[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.product([1,2]));[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.product([1,2],repeat=4));len(list(obj))
itertools;(lambda c:(next(c),c)[1])(itertools.combinations([1,2,3,4],3));[list(x) for x in obj]
itertools;(lambda c:(next(c),next(c),c)[2])(itertools.combinations([1,2,3],1));[list(x) for x in obj]
itertools;(lambda c:(next(c),next(c),next(c),next(c),c)[4])(itertools.combinations([1,2,3,4],2));[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.combinations_with_replacement([1,2,3],3));[list(x) for x in obj]
itertools;(lambda c:(next(c),next(c),next(c),c)[3])(itertools.combinations_with_replacement([1,2,3],2));[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.permutations([1,2,3,4],3));len(list(obj))
itertools;(lambda c:(next(c),c)[1])(itertools.permutations([1,2],1));len(list(obj))
itertools;(lambda c:(next(c),c)[1])(itertools.permutations("abcd"));len(list(obj))
itertools;(lambda c:(next(c),next(c),c)[2])(itertools.accumulate([1,2,3]));list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.accumulate([None,2],lambda a,b:b));list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.islice([1,2,3,4],0,4,2));list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.zip_longest([1,2],[2]));[list(x) for x in obj]
itertools;(lambda c:(next(c),c)[1])(itertools.compress([1,2,3],[1,0,1]));list(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.count(1,2));next(obj)
itertools;(lambda c:(next(c),c)[1])(itertools.repeat(1,3));list(obj)
itertools;(lambda c:(next(c),next(c),c)[2])(itertools.tee("abc")[0]);list(obj)
decimal;decimal.Context(prec=10**17 if hasattr(decimal,"MAX_PREC") else 9);obj.prec > 5
decimal;decimal.Context(Emin=-5,Emax=5,capitals=0);[obj.prec,obj.Emax]
decimal;decimal.ExtendedContext;obj.prec
email.mime.application;email.mime.application.MIMEApplication(b"x");[obj.get_content_type(),obj.as_string()]
email.mime.audio;email.mime.audio.MIMEAudio(b"x","basic");[obj.get_content_type(),obj.as_string()]
email.mime.image;email.mime.image.MIMEImage(b"x","png");[obj.get_content_type(),obj.as_string()]
email.mime.nonmultipart;email.mime.nonmultipart.MIMENonMultipart("a","b");[obj.get_content_type(),obj.as_string()]
email.mime.message;email.mime.message.MIMEMessage(email.message.Message());[obj.get_content_type(),obj.as_string()]
mailbox;mailbox.MHMessage();[obj.get_sequences(),obj.as_string()]
mailbox;mailbox.BabylMessage();[obj.get_labels(),obj.as_string()]
mailbox;mailbox.MMDFMessage();[obj.get_from(),obj.as_string()]
mailbox;mailbox.MaildirMessage();[obj.get_subdir(),obj.as_string()]
mailbox;mailbox.mboxMessage();[obj.get_from(),obj.as_string()]
io;io.BytesIO();len(obj.read())
io;(lambda s:(s.read(1),setattr(s,"a",1),s)[2])(io.StringIO(u"abc"));[obj.read(),obj.a]
statistics;statistics.NormalDist(1.5,2);[obj.mean,obj.stdev]
doctest;doctest.TestResults(0,0);list(obj)
zipfile;zipfile.ZipInfo("b",(1999,1,1,0,0,0));[obj.filename,list(obj.date_time)]
tarfile;(lambda t:(setattr(t,"size",5),t)[1])(tarfile.TarInfo("a"));[obj.name,obj.size]
platform;platform.uname()._replace(processor="p") if hasattr(platform.uname(),"_replace") else None;obj.system
types;types.SimpleNamespace(a=1,b=[2]);[obj.a,obj.b]
;zip([1],[2],[3]);[list(x) for x in obj]
;map(lambda x:x,[]);list(obj)
;enumerate([1],10);list(obj)
http.cookies;(lambda c:(c["a"].__setitem__("path","/"),c)[1])(http.cookies.SimpleCookie("a=b"));obj["a"]["path"]
"""


def recipes():
    """[(number, modules, expression, use)]"""
    found = []
    for line in LINES.strip().split("\n"):
        modules, expression, use = line.split(";", 2)
        if expression.count("(") != expression.count(")"):  # a semicolon in a text of the expression
            head, use = use.split(";", 1)
            expression += ";" + head
        found.append((len(found), [one for one in modules.split(",") if one], expression, use))
    return found
