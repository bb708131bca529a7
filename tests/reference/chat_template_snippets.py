"""Writes what jinja2 makes of short templates, for tests/web/generator/templates/snippets.test.ts.

    /usr/bin/python3 tests/reference/chat_template_snippets.py > tests/fixtures/chat-templates/snippets.json

Needs Debian's python3-jinja2. Each line of the result is a template, and the text that it gives or the kind of error that
it raises. A new line in one of the lists below is a new test.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from chat_template_oracle import environment, render  # noqa: E402

NAMES = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "yo", "tool_calls": None},
    ],
    "obj": {"name": "get <x>", "n": 1, "é": [1, 2.5, None, True], "nested": {"b": 1, "a": []}},
    "people": [
        {"name": "Bo", "age": 3, "at": {"city": "b"}},
        {"name": "al", "age": 1, "at": {"city": "A"}},
        {"name": "Cy", "age": 3, "at": {"city": "a"}},
        {"age": 2},
    ],
    "floats": [1e-7, 1e16, 0.1, 1e21, 2.5, -0.5],
    "words": ["b", "A", "c", "a", "B"],
    "text": "  Hello wide  world\n\nof\ttemplates  ",
    "smile": "a😀é",
    "trap": {"items": 1, "get": 2, "_x": 3, "pop": 4, "a b": 5, "0": 6},
    "nothing": None,
    "tools": None,
    "documents": None,
    "add_generation_prompt": True,
    "bos_token": "<s>",
    "eos_token": "</s>",
}

# Written as {{ … }}.
VALUES = r"""
true
True ~ False ~ None
none
nothing
missing
[missing]
1
1.0
-1
- 1.5
1_000
0x1F
0b101
0o17
1e3
1.5e-7
floats
floats | join(' ')
1e100
1e400
-1e400
1e400 - 1e400
123456789012345678901234567890
0.1 + 0.2
100000.0
1e15
1e16
123456789.123456789
5e-324
1.7976931348623157e308
'a' 'b' "c"
'it\'s' ~ "say \"x\""
'a\nb\tc\\d'
'\x41\u00e9\U0001f600\101\q'
'\é'
'line\
continued'
[1, 'a', none, true, 1.5, [], {}, ()]
(1,)
()
(1, 2)
1, 2
{'a': 'b', 1: 2, none: 3, true: 4, 1.0: 5, (1, 2): 6}
{'a': 1, 'a': 2}
["it's", 'say "x"', 'both\'"', '\n\r\t\\\x00\x7f\xa0\u200b\ue000é😀']
{[]: 1}
{{}: 1}
obj
messages[0]
range(3)
range(1, 10, 3)
range(5, 0, -2) | list
range(0)
range(3)[1]
range(10)[2:8:2]
range(10)[-1]
3 in range(5)
2.0 in range(5)
range(3) == range(0, 3, 1)
range(100001)
range(1, 2, 0)
range('a')
range(1.5)
range()
dict(a=1, b=2)
dict([('a', 1), ('b', 2)], c=3)
dict({'a': 1}, a=2)
dict([1])
namespace(a=1)
namespace(a=1).a
namespace(a=1)['a']
namespace(a=1).b
namespace({'a': 1}, b=2)
obj.keys()
obj.values()
obj.items()
obj.keys() | list
obj.items() | list
obj.keys() | length
obj.keys()[0]
'n' in obj.keys()
joiner
joiner()() ~ 'x'
cycler('a', 'b').next()
cycler('a', 'b').current
cycler()
not_there.x
not_there[0]
not_there()
not_there + 1
1 + not_there
'a' + not_there
'a' ~ not_there ~ 1
not_there == not_there
not_there == none
not_there != 1
not_there < 1
-not_there
not_there in [1]
1 in not_there
not_there | length
not_there | list
not_there | join
not_there | upper
not_there | trim
not_there | first
not_there | last
not_there | string
not_there | int
not_there | float
not_there | abs
not_there | round
not_there | items | list
not_there | tojson
not_there | default('d')
not_there | d('d', true)
not_there | e
not_there | replace('a', 'b')
not_there | indent
not_there | map('upper') | list
not_there | select | list
not_there | sum
not_there | min
not_there | sort
not_there | unique | list
not_there | reverse | list
not_there | dictsort
not_there | batch(2) | list
not_there | wordcount
not_there | capitalize
not_there | title
not_there[1:]
'a' if false
('a' if false) is defined
'%s' % not_there
not_there.a.b is defined
obj.missing
obj.missing.more
obj['missing']
obj.nested.b
obj['nested']['b']
obj.é[1]
obj[none]
obj[[]]
messages[0].content
messages[0]['content']
messages[9]
messages[9].x
messages[-1].role
messages.0.role
messages[0:2] | length
messages[::-1][0].role
messages[1:] | map(attribute='role') | join(',')
messages['a']
messages.append
messages.append(1)
messages.foo
trap.items
trap['items']
trap.get('get')
trap['get']
trap._x
trap['_x']
trap.pop
trap['pop']
trap.pop()
trap.update is defined
trap['a b']
trap['0']
trap.__class__
trap.__class__.x
trap.__foo__
trap.get
''.__class__
''.__class__.__mro__
''.constructor
nothing.x
nothing.x.y
nothing[0]
nothing[0:1]
(1).x
1.5.x
obj.get('n')
obj.get('x')
obj.get('x', 'd')
obj.get('x', default='d')
{'a': none}.get('a', 1)
{'a': none}.a is none
{'a': none}['a'] is defined
obj.copy() == obj
[1, 2, 1].count(1)
[1, 2, 1].index(2)
[1].index(9)
(1, 2).count(1)
(1, 2).index(2)
[1, 2].copy()
1 + 2 * 3 - 4
7 / 2
6 / 2
7 // 2
-7 // 2
7 % 3
-7 % 3
7 % -3
7.5 // 2
-7.5 % 2
2 ** 10
2 ** -1
2 ** 0.5
2 ** 3 ** 2
-2 ** 2
1 / 0
1 // 0
1 % 0
1.0 / 0
0 ** -1
true + true
true * 3
1 + 1.5
10 ** 30
10 ** 30 / 3
2 ** 200 // 3 ** 50
(10 ** 20) % 7
'a' + 'b'
'a' + 1
1 + 'a'
'a' * 3
3 * 'ab'
'a' * -1
'a' * 1.5
[1] * 2
(1,) * 2
[1] + [2]
[1] + (2,)
(1,) + (2,)
{} + {}
none + 1
'a' - 'b'
'a' / 2
-'a'
+true
-true
- -1
'a' ~ 1 ~ none ~ 1.5 ~ [1]
1 ~ 2 + 3
1 == 1.0
1 == true
'1' == 1
[1] == [1]
[1, [2]] == [1, [2.0]]
(1,) == [1]
{'a': 1, 'b': 2} == {'b': 2, 'a': 1}
{'a': 1} != {'a': 2}
none == false
'a' != 'b'
'a' < 'b'
'a' < 'B'
'a' < 1
1 < 2 < 3
1 < 3 < 2
1 < 2 > 1 == 1
[1, 2] < [1, 3]
[1] < [1, 0]
(1, 'a') < (1, 'b')
[1] < (1,)
none < 1
{} < {}
1 <= 1.0
1 > true
'😀' > '\uffff'
'a' in 'abc'
'' in 'abc'
1 in 'abc'
1 in [1.0]
[1] in [[1]]
'a' in {'a': 1}
[] in {}
'b' not in ['a']
not 'b' in ['a']
1 in 5
none in [none]
1 and 2
0 and 2
0 or 'x'
'' or none or []
not 1
not []
not not 'a'
1 if 2 else 3
1 if 0 else 2 if 0 else 3
true and not false or false
1 is defined and 2
not missing
loop
missing is defined
messages is defined
none is none
none is defined
none is not none
tools is none
tools is defined
documents is not none
1 is number
true is number
1.5 is number
'1' is number
1 is integer
true is integer
1.0 is integer
1.5 is float
1 is float
true is boolean
1 is boolean
true is true
1 is true
false is false
0 is false
'a' is string
1 is string
'a' | safe is string
{} is mapping
[] is mapping
[] is sequence
'a' is sequence
{} is sequence
() is sequence
1 is sequence
missing is sequence
range(3) is sequence
{}.keys() is sequence
([] | map('upper')) is sequence
[] is iterable
'a' is iterable
{} is iterable
1 is iterable
none is iterable
missing is iterable
([] | map('upper')) is iterable
range is callable
1 is callable
missing is callable
'a'.upper is callable
1 is odd
2 is odd
2 is even
1.0 is odd
'a' is odd
10 is divisibleby 5
10 is divisibleby(3)
10 is divisibleby 0
1 is eq 1
1 is equalto 1.0
1 is == 1
1 is ne 2
1 is lt 2
2 is gt 1
2 is ge 2
1 is le 0
1 is lessthan 2
2 is greaterthan 1
'a' is in ['a']
'a' is in 'abc'
1 is in 2
1 is sameas 1
none is sameas none
[] is sameas []
'abc' is lower
'aBc' is lower
'1' is lower
'ABC' is upper
'A1' is upper
'a' is escaped
('a' | e) is escaped
'upper' is filter
'nope' is filter
'odd' is test
'nope' is test
1 is not odd
1 is nope
2 is even is even
'a' | nope
'Abc' | upper
'ABC' | lower
'aBC dEF' | capitalize
'hello wORLD-foo (bar) [x' | title
'hello_world it\'s' | title
1 | upper
none | upper
[1] | upper
'  a ' | trim
'xxaxx' | trim('x')
'ab' | trim(chars='b')
'abc' | center(9) ~ '|'
'abc' | center(8) ~ '|'
'abcd' | center(7) ~ '|'
'a-b-c' | replace('-', '+')
'aaa' | replace('a', 'b', 2)
'abc' | replace('', '-')
'abc' | replace('', '-', 2)
12321 | replace(2, 'x')
'%s, %s' | format('a', 'b')
'%(a)s' | format(a=1)
'%s' | format('a', b=1)
'a\nb\n\nc' | indent
'a\nb\n\nc' | indent(2, true)
'a\nb\n\nc' | indent(2, blank=true)
'a\nb\n\nc' | indent(width='> ', first=true)
'a\n' | indent
'' | indent(2, true)
1 | indent
'a' * 20 | truncate(9)
'hello wide world of templates' | truncate(12)
'hello wide world of templates' | truncate(12, true)
'hello wide world of templates' | truncate(12, true, '>')
'hello wide world of templates' | truncate(26)
'hello wide world of templates' | truncate(26, leeway=0)
'a' | truncate(2)
text | wordcount
'it\'s é_1 x' | wordcount
'<a href="x">\'&</a>' | e
'<' | escape | e
'<' | e | forceescape
'<' | safe
'<' | safe ~ '<'
('<' | safe) + '<'
'<' + ('<' | safe)
('<%s>' | safe) % '<'
('<%s>' | safe) % ('<', )
('<{}>' | safe).format('<')
('<' | safe) * 2
('a<' | safe).upper() + '<'
('a,b' | safe).split(',')
('<' | safe).join(['<', 'a'])
('a' | safe).replace('a', '<')
('a' | safe)[0]
['<' | safe]
('a' | safe) == 'a'
{('a' | safe): 1}['a']
('a' | e) | tojson
'a b/c?d=é&x' | urlencode
{'a b': 1, 'c': 'd/e'} | urlencode
[('a', 1)] | urlencode
{'a': 1, 'b': none, 'c': '<'} | xmlattr
{'a b': 1} | xmlattr
[3, 1, 2] | sort
[3, 1, 2] | sort(reverse=true)
words | sort
words | sort(case_sensitive=true)
words | sort(true, true)
people | sort(attribute='age') | map(attribute='name') | list
people[:3] | sort(attribute='at.city') | map(attribute='name') | list
people[:3] | sort(attribute='age,name') | map(attribute='name') | list
people | sort(attribute='name')
[1, 'a'] | sort
'cab' | sort
{'b': 1, 'a': 2} | sort
{'b': 1, 'A': 2} | dictsort
{'b': 1, 'A': 2} | dictsort(true)
{'b': 1, 'A': 2} | dictsort(false, 'value')
{'b': 1, 'A': 2} | dictsort(by='value', reverse=true)
{'b': 1} | dictsort(by='x')
[1] | dictsort
words | unique | list
words | unique(true) | list
people | unique(attribute='age') | map(attribute='age') | list
[[1], [1]] | unique | list
words | min
words | max
words | min(true)
people[:3] | min(attribute='age')
people[:3] | max(attribute='name')
[] | min
[1, 'a'] | max
people[:3] | groupby('age')
people[:3] | groupby('at.city')
people[:3] | groupby('at.city', case_sensitive=true)
people | groupby('name', default='?')
(people[:3] | groupby('age'))[0].grouper
(people[:3] | groupby('age'))[0].list
[1, 2, 3, 4, 5] | batch(2) | list
[1, 2, 3, 4, 5] | batch(2, 0) | list
[1, 2, 3, 4, 5] | slice(2) | list
[1, 2, 3, 4, 5] | slice(3, 0) | list
[1, 2, 3] | slice(0) | list
[1, 2, 3] | join
[1, none, 'a', [1]] | join(', ')
people | join('-', attribute='age')
'abc' | join('-')
[1, 2] | join(1)
1 | join
[1, 2] | sum
[1, 2.5] | sum
people | sum(attribute='age')
[[1], [2]] | sum(start=[])
['a'] | sum
[1, 2] | sum(start=10)
[1, 2, 3] | first
'abc' | first
[] | first
[1, 2, 3] | last
'abc' | last
[] | last
{'a': 1, 'b': 2} | last
[1, 2] | reverse
[1, 2] | reverse | list
'abc' | reverse
smile | reverse
1 | reverse
{'a': 1, 'b': 2} | reverse | list
[1, 2] | length
'' | length
smile | length
1 | length
none | count
([1, 2] | map('string')) | length
'abc' | list
{'a': 1} | list
1 | list
{'a': 1} | items | list
[1] | items | list
'' | default('d')
'' | default('d', true)
none | default('d')
none | d('d', boolean=true)
missing | default
missing | default(none)
obj.missing | default([])
[1, 2, 3] | map('string') | list
words | map('upper') | join
people | map(attribute='name') | list
people | map(attribute='name', default='?') | list
people | map(attribute='at.city', default='?') | list
[[1, 2], [3, 4]] | map(attribute=1) | list
[[1, 2], [3, 4]] | map(attribute='0') | list
[[1, 2], [3, 4]] | map('join', '-') | list
words | map('replace', 'b', 'x') | list
words | map('nope') | list
words | map('nope') is defined
words | map | list
[] | map | list
words | map(attribute='x', y=1) | list
[1, 0, 'a', '', none] | select | list
[1, 0, 'a', '', none] | reject | list
[1, 2, 3] | select('odd') | list
[1, 2, 3] | reject('odd') | list
[1, 2, 3] | select('gt', 1) | list
[1, 2, 3] | select('divisibleby', num=2) | list
[1, 2, 3] | select('in', [1, 3]) | list
[1, 2, 3] | select('nope') | list
messages | selectattr('role', 'equalto', 'user') | list
messages | selectattr('role', '==', 'user') | map(attribute='content') | list
messages | rejectattr('role', 'equalto', 'system') | list | length
messages | selectattr('tool_calls') | list
messages | selectattr('tool_calls', 'defined') | list | length
people | selectattr('at.city', 'equalto', 'a') | list | length
people | rejectattr('name') | list
messages | selectattr | list
none | selectattr('a') | list
1 | select | list
(messages | selectattr('x')) and 'always'
messages | selectattr('x') | first is defined
[1, 2] | map('string') | first
([1, 2] | map('string'))[0]
[1, 2] | map('string')
-1 | abs
-1.5 | abs
true | abs
'a' | abs
'42' | int
' 42 ' | int
'42.9' | int
'-7' | int
'+7' | int
'1_000' | int
'x' | int
'x' | int(5)
'x' | int(default=none)
'0x1f' | int(0, 16)
'1f' | int(base=16)
'101' | int(0, 2)
'0b11' | int(0, 0)
'z' | int(0, 36)
'12' | int(0, 99)
42.9 | int
-42.9 | int
true | int
none | int
[] | int
'１２' | int
'1e3' | int
'inf' | int
'1.5' | float
'x' | float
'x' | float(1)
'1e3' | float
' 2. ' | float
'.5' | float
'nan' | float
'-inf' | float
3 | float
none | float
1.5 | round
2.5 | round
0.5 | round
-2.5 | round
2.675 | round(2)
1234.5 | round(-2)
1.21 | round(1, 'ceil')
1.29 | round(1, 'floor')
5 | round
15 | round(-1)
25 | round(-1)
7 | round(1, 'ceil')
1.5 | round(method='x')
'a' | round
1 | filesizeformat
999 | filesizeformat
1000 | filesizeformat
1234567 | filesizeformat
1234567 | filesizeformat(true)
1 | string + '1'
[1] | string
obj | tojson
obj | tojson(indent=2)
obj | tojson(indent=0)
obj | tojson(indent='\t')
obj | tojson(sort_keys=true)
obj | tojson(separators=(',', ':'))
obj | tojson(ensure_ascii=true)
smile | tojson(ensure_ascii=true)
'<>&\'"\\/\n\x00\x7f\u2028' | tojson
floats | tojson
[1e400, -1e400] | tojson
{1: 1, none: 2, true: 3, 1.5: 4} | tojson
{(1, 2): 3} | tojson
(1, [2]) | tojson
[] | tojson(indent=2)
[[], {}] | tojson(indent=2)
{} | tojson
none | tojson
{'b': 1, 'a': {'d': 1, 'c': 2}} | tojson(sort_keys=true, indent=1)
{1: 1, 'a': 2} | tojson(sort_keys=true)
range(3) | tojson
obj.keys() | tojson
(words | map('upper')) | tojson
namespace(a=1) | tojson
[1, 2] | tojson(2)
1 | tojson(x=1)
'ab'.upper()
'ßaﬁ'.upper()
'ÀÉ'.lower()
'ΑΣ'.lower()
'hELLO wORLD'.capitalize()
'they\'re bill\'s é1a'.title()
'ǆ ß ﬁ'.title()
'aBc'.swapcase()
'ßS'.casefold()
'  a  '.strip() ~ '|'
'xyaxy'.strip('yx')
'\n    code'.lstrip('\n')
'a  \n\n'.rstrip('\n')
'xy</answer>'.strip('</answer>')
'a'.strip(none)
'a'.strip(1)
'\x1c\x85a\ufeff'.strip() | length
'a b  c'.split()
' a  b '.split()
'a b c'.split(none, 1)
'  a b  c '.split(maxsplit=1)
'a,b,,c'.split(',')
'a,b,,c'.split(',', 2)
'a,b'.split(sep=',')
'a'.split('')
''.split()
''.split(',')
'a,b,c'.rsplit(',', 1)
'a b  c '.rsplit(none, 1)
' a b  c '.rsplit()
'aXXbXXc'.rsplit('XX')
'a\nb\r\nc\rd\x0be\u2028f\n'.splitlines()
'a\nb\n'.splitlines(true)
'a-b-c'.partition('-')
'abc'.partition('-')
'a-b-c'.rpartition('-')
'abc'.rpartition('-')
'prefix'.removeprefix('pre')
'prefix'.removeprefix('x')
'file.txt'.removesuffix('.txt')
'file'.removesuffix('')
'abcabc'.find('c')
'abcabc'.find('c', 3)
'abcabc'.find('x')
smile.find('é')
'abc'.find('', 9)
'abcabc'.rfind('b')
'abc'.index('b')
'abc'.index('x')
'abc'.rindex('x')
'banana'.count('a')
'banana'.count('ana')
'abc'.count('')
'banana'.count('a', 2, 4)
'abc'.startswith('a')
'abc'.startswith(('x', 'a'))
'abc'.startswith(['a'])
'abc'.startswith('b', 1)
'abc'.endswith('c')
'abc'.endswith(('x', 'bc'))
'abc'.startswith(1)
'abc'.startswith()
'a-b'.replace('-', '+')
'aaa'.replace('a', 'b', 1)
'abc'.replace('', '.')
'a'.replace('a')
'a'.replace(1, 2)
','.join(['a', 'b'])
','.join([1])
','.join('abc')
','.join({'a': 1})
'7'.zfill(3)
'-7'.zfill(4)
'a'.ljust(3, '.')
'a'.rjust(3) ~ '|'
'a'.center(4, '*')
'a'.center(3, '**')
'a\tb\tc'.expandtabs(4)
'a\tb'.expandtabs()
'12'.isdigit()
'²'.isdigit()
'²'.isdecimal()
'½'.isnumeric()
'一'.isnumeric()
'Ꮨᏸ'.casefold()
'ŉa Ǆ'.title()
'ab1'.isalnum()
'aé'.isalpha()
''.isalpha()
'a b'.isalpha()
' \t'.isspace()
''.isspace()
'AB1'.isupper()
'ab'.islower()
'Ab Cd'.istitle()
'a_1'.isidentifier()
'1a'.isidentifier()
'é'.isascii()
''.isascii()
'a\n'.isprintable()
'{} {}'.format('a', 1)
'{1} {0}'.format('a', 'b')
'{a} {b.n} {b[n]} {c[0]}'.format(a=1, b=obj, c=[7])
'{{}}'.format()
'{:>5}|{:<5}|{:^5}|{:*^7}'.format('a', 'b', 'c', 'd')
'{:05d} {:+d} {:,} {:_} {:x} {:#X} {:b} {:o} {:c}'.format(42, 7, 1234567, 1234567, 255, 255, 5, 8, 65)
'{:.2f} {:8.3f} {:e} {:g} {:%} {:.1%} {:,.2f}'.format(3.14159, 2.5, 12345.678, 0.0001, 0.5, 0.125, 1234567.891)
'{:g} {:g} {:g} {:G}'.format(1e6, 1e5, 1.5, 1e-10)
'{} {:.3} {:.3}'.format(1.0, 1.0, 123456.0)
'{:010.2f} {:+.1e} {: d}'.format(-3.14159, 12345.6, 5)
'{:.0f} {:.0f} {:.0f}'.format(0.5, 1.5, 2.5)
'{:.3}'.format('abcdef')
'{!r} {!s}'.format('a', 'b')
'{:{}}'.format('a', 5) ~ '|'
'{:d}'.format('a')
'{:d}'.format(1.5)
'{:s}'.format(1)
'{:5}'.format(true)
'{}'.format(true)
'{}'.format(none)
'{:5}'.format(none)
'{} {0}'.format(1)
'{}'.format()
'{a}'.format()
'{'.format()
'}'.format()
'{0.__class__}'.format('a')
'{a}'.format_map({'a': 1})
'{:015,d} {:09,.1f}'.format(1234567, 1234.5)
'%s %s' % ('a', 1)
'%s' % 'a'
'%s' % none
'%s' % [1]
'%d %i %u' % (1, 2.9, true)
'%5d|%-5d|%05d|%+d|% d' % (1, 2, 3, 4, 5)
'%x %X %#x %o %#o' % (255, 255, 255, 8, 8)
'%f %.2f %8.3f %-8.1f| %08.2f' % (1.5, 2.345, 3.14159, 2.5, -1.5)
'%e %E %.1e %g %G %g' % (12345.678, 0.00012, 5.0, 1e10, 1e-10, 0.5)
'%c%c' % (65, 'b')
'%r %a' % ('é', 'é')
'%.2s|%5s|%-5s|' % ('abc', 'a', 'b')
'%*d' % (5, 1)
'%(a)s %(b)d' % {'a': 'x', 'b': 2}
'%%'  % ()
'100%' % ()
'%s' % ('a', 'b')
'%s %s' % ('a',)
'%d' % 'a'
'%y' % 1
'%(a)s' % 1
'a' % {'b': 1}
'a'.nope()
'abc'[0]
'abc'[-1]
'abc'[5]
'abc'[1:]
'abc'[::-1]
'abc'[::2]
'abc'[5:]
'abc'[-2:]
'abc'[0:0]
'abc'[::0]
'abc'['a']
smile[1]
smile[1:]
[1, 2, 3][1:]
[1, 2, 3][:-1]
[1, 2, 3][::-1]
[1, 2, 3][::2]
(1, 2, 3)[1:]
[1, 2, 3][none:2]
[1][true]
[1][1.0]
obj[0:1]
'a b c' | wordwrap(3)
'The quick brown-fox -- jumps over the lazy_dog' | wordwrap(10)
'well-known state-of-the-art -b --long x---y e-mail' | wordwrap(6)
'abcdefghij-klm' | wordwrap(4)
'abcdefghij-klm' | wordwrap(4, false)
'abcdefghij-klm no-no' | wordwrap(4, true, '|', false)
'ab-cd ef-gh' | wordwrap(4, wrapstring='/', break_on_hyphens=1)
'one\n\ntwo  three\r\n  four' | wordwrap(5)
'  lead  and\ttab ' | wordwrap(4)
'\u2003 a\u2003b c' | wordwrap(2)
'😀😀 é😀é' | wordwrap(2)
('x ' * 60) | wordwrap
'a' | wordwrap(0)
'' | wordwrap(0)
'a' | wordwrap(none)
5 | wordwrap
missing | wordwrap
'<p>a <b>b</b>\n c</p>' | striptags
'a <!-- <b> --> c <unclosed' | striptags
'<!-- a\n --> x > y < z >w' | striptags
'&lt;b&gt; &amp;amp; &quot;q&quot; &apos;&nbsp;&#39;' | striptags
'&#x41;&#66&#128;&#x9f;&#0;&#xd800;&#11;&#xfffe; R&D a & b' | striptags
'<b>a</b>' | safe | striptags
5 | striptags
missing | striptags
'see https://a.b/c?d=e&f, (www.x.org) and me@x.org.' | urlize
'mailto:me@x.org http://127.0.0.1:80/a http://[::1:2:3]/ x.com a.b.net/y' | urlize
'<https://a.bc/(d)> (https://a.bc/d_(e)) https://a.bc/d).' | urlize
'ftp://a.b @a@b a@b:c@d.e www.@ http://a tel:5 tel:' | urlize(extra_schemes=['tel:'])
'https://example.com/long/path' | urlize(10, true, target='_blank', rel='b a"')
'https://example.com' | urlize(-4)
'https://example.com' | urlize(extra_schemes=['x'])
'HTTPS://EXAMPLE.COM' | urlize
'a\n b\u2003https://é.fr' | urlize
5 | urlize
'a' | pprint
obj | pprint
messages | pprint
people | pprint
[] | pprint
('word ' * 30) | pprint
[('word ' * 30), ('x' * 90), 'a\nb ' * 30] | pprint
{'text': 'one two ' * 20, 'more': ['a' * 40, 'b' * 40, {'deep': ('c d ' * 30,)}]} | pprint
('line one\nline two ' * 12) | pprint
{'b': 1, 2: 'x', none: 3, 1.5: (1,), true: 'a'} | pprint
{1: range(3), 'a': missing, 'm': '<' | e, 't': (), 'n': ((1, 2), [3])} | pprint
people | groupby('age', default=0) | pprint
namespace(a=1) | pprint
obj.items() | pprint
{'é' * 30: 'y' * 30} | pprint
missing.__class__
missing.__class__.x
missing['__class__']
[] is filter
{} is test
none is test
'{:-5}'.format('a')
'{:+c}'.format(65)
'{:_c}'.format(65)
'{:,n}'.format(5)
'{:,x}'.format(5)
'{} {0.__class__}'.format(1)
'{} {0[0]} {}'.format('ab', 'c')
'{0[0]} {} {}'.format('ab', 'c')
strftime_now('%Ea|%Ee|%Oe|%Ey|%OY|%EY|%Of|%Ox')
'%5%' % ()
'%(a)%' % {'a': 1}
'% %%' % (1,)
'{a[}}]} {a[b}c]}'.format(a={'}}': 1, 'b}c': 2})
'{a{b}}'.format(a=1)
'{!}'.format(1)
'{a'.format(a=1)
'{a!'.format(a=1)
'{a!r'.format(a=1)
'{!rx}'.format(1)
'{a[b]:>[5}'.format(a={'b': 1})
'{.x}'.format(1)
'{:}}}'.format(1)
dict(missing)
dict(missing, a=1)
namespace(missing)
'12' | int(0, missing)
'12.5' | int(0, 'x')
'' | wordwrap(missing)
'a\nb'.splitlines(missing)
'a\nb'.splitlines(2)
'x.com' | urlize(target=false)
'x.com' | urlize(target=5)
strftime_now('%05"|%5"|%-5"|%5%|%')
strftime_now('%07')
[1, 2] | sort(reverse='a')
[1, 2] | sort(reverse=2)
{'a': 1} | dictsort(reverse=none)
namespace(a=1) is test
{namespace(a=1): 1}
[namespace(a=1), namespace(a=1)] | unique | list | length
[none, missing] | unique | list
strftime_now('%Y-%m-%d %H:%M:%S')
strftime_now('%d %b %Y|%A %a %B|%I %p|%j|%y|%-d %-m %e')
strftime_now('%U %W %w %u %V %G|%c|%x|%X|%D %F %T %R %r|%%')
strftime_now('%f|%z|%Z|%h %C %g %k %l %n%t|')
strftime_now('%^a %#B %_d %05d %-H %E %é')
strftime_now('')
strftime_now(1)
raise_exception('No.')
raise_exception(1)
raise_exception()
1.
a b
[1, 2
{'a' 1}
(1
'a
1 +
* 2
|upper
a.
a[
a(
f(a=1, 2)
f(**{}, 1)
1 if
x is
x |
a ? b
range(*[1, 3]) | list
range(**{'a': 1})
dict(**{'a': 1})
dict(a=1, **{'a': 2})
dict(a=1, a=2)
[1, 2,]
{'a': 1,}
(1, 2,)
dict(a=1,)
messages | map(attribute='role') | map('upper') | join(', ')
'a' | upper ~ 'b' | upper
- 5 | abs
-5 | abs
not 1 | string
'a' ~ 1 + 1
'x'|upper == 'X'
1 == 1 | string
[1, 2]|length > 1
('a' 'b')|length
"""

# Whole templates. `\n` stands for a line break, and `\r` for the other one.
TEMPLATES = r"""
{% for m in [1,2,3] %}{{ m }}{% if m == 2 %}{% break %}{% endif %}{% endfor %}
{% for m in [1,2,3] %}{% if m == 2 %}a{% continue %}{% endif %}{{ m }}{% endfor %}
{% for m in [] %}x{% else %}empty{% endfor %}
{% for m in [1] %}x{% else %}empty{% endfor %}
{% for m in [1] %}{% break %}{% else %}never whole{% endfor %}
{% for m in [1, 2] %}{% continue %}{% else %}never whole{% endfor %}
{% for m in not_there %}x{% else %}empty{% endfor %}
{% for m in none %}x{% endfor %}
{% for m in 5 %}x{% endfor %}
{% for c in 'a😀' %}[{{ c }}]{% endfor %}
{% for k in {'a': 1, 'b': 2} %}{{ k }}{% endfor %}
{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }};{% endfor %}
{% for k, v in {'a': 1} | items %}{{ k }}={{ v }};{% endfor %}
{% for a, b in [(1, 2), [3, 4], 'xy'] %}{{ a }}{{ b }};{% endfor %}
{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}
{% for a, b in [(1, 2, 3)] %}x{% endfor %}
{% for a, b in [1] %}x{% endfor %}
{% for x in [1, 2, 3] if x != 2 %}{{ loop.index }}:{{ x }}/{{ loop.length }} {% endfor %}
{% for x in [1, 2] if x > 5 %}{{ x }}{% else %}none{% endfor %}
{% for x in [1, 2, 3] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }};{% endfor %}
{% for x in [1, 2, 3] %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }};{% endfor %}
{% for x in [1, 2, 3] %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x // 2) }};{% endfor %}
{% for x in [1] %}{{ loop }}{{ loop.nope }}{{ loop['index'] }}{{ loop.depth }}{{ loop.depth0 }}{% endfor %}
{% for x in [1, 2] | map('string') %}{{ loop.length }}{{ loop.last }}{{ x }};{% endfor %}
{% for x in [1, 2] | map('string') %}{{ loop.nextitem }}{{ loop.revindex }}{{ x }};{% endfor %}
{% for x in [1, 2] %}{% for y in [3, 4] %}{{ loop.index }}{{ x }}{{ y }} {% endfor %}{{ loop.index }};{% endfor %}
{% for x in [1] %}{{ loop() }}{% endfor %}
{% for n in [{'v': 1, 'c': [{'v': 2, 'c': []}, {'v': 3}]}] recursive %}{{ loop.depth }}{{ n.v }}{% if n.c %}({{ loop(n.c) }}){% endif %}{% endfor %}
{% for x in [1, 2] %}{% set y = x %}{% endfor %}{{ y }}
{% set y = 0 %}{% for x in [1, 2] %}{{ y }}{% set y = x %}{{ y }};{% endfor %}{{ y }}
{% for x in [1, 2] %}{{ y }}{% set y = x %}{% endfor %}
{% for x in [1, 2] %}{% if x == 1 %}{% set y = 'set' %}{% endif %}[{{ y }}]{% endfor %}
{% for x in [1] %}{% set loop = 1 %}{% endfor %}
{% for loop in [1] %}{% endfor %}
{% for x in [1] %}{{ x }}{% endfor %}{{ x }}
{% set x = 'outer' %}{% for x in [1] %}{{ x }}{% endfor %}{{ x }}
{% set ns = namespace(found=false) %}{% for x in [1, 2, 3] %}{% if x == 2 %}{% set ns.found = x %}{% endif %}{% endfor %}{{ ns.found }}
{% set ns = namespace(i=0) %}{% for m in messages %}{% set ns.i = ns.i + 1 %}{% endfor %}{{ ns.i }}{{ ns }}
{% set ns = namespace(f=false) %}{% for x in [1, 2, 3] if not ns.f %}{{ x }}{% set ns.f = true %}{% endfor %}
{% set ns = namespace(x=1) %}{% set ns.x = [ns] %}{{ ns }}
{% set d = {} %}{% set d.x = 1 %}
{% set nope.x = 1 %}
{% set a, b = 1, 2 %}{{ a }}{{ b }}
{% set a, b = [1, 2, 3] %}
{% set a = 1, 2 %}{{ a }}
{% set (a, b) = 'xy' %}{{ b }}{{ a }}
{% set a = b = 1 %}
{% set 1 = 2 %}
{% set true = 2 %}
{% set x %}a{{ 1 }}b{% endset %}[{{ x }}]
{% set x | trim %} a {% endset %}[{{ x }}]
{% set x | replace('a', 'b') | upper %}aaa{% endset %}[{{ x }}]
{% set x %}{% set y = 1 %}{% endset %}{{ y }}
{% set x = 1 %}{% if true %}{% set x = 2 %}{% endif %}{{ x }}
{% if false %}{% set messages = 1 %}{% endif %}{{ messages | length }}
{% if true %}{% set z = 1 %}{% else %}{% set z = 2 %}{% endif %}{{ z }}
{% if 0 %}a{% elif 1 %}b{% else %}c{% endif %}
{% if 0 %}a{% elif '' %}b{% elif none %}c{% else %}d{% endif %}
{% if not_there %}a{% endif %}{% if [] %}b{% endif %}{% if {} %}c{% endif %}{% if 0.0 %}d{% endif %}e
{% if 1, 2 %}a{% endif %}
{% macro f(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ f(1) }}{{ f(1, 3) }}{{ f(b=1, a=2) }}{{ f() }}
{% macro f(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ f(1) }}
{% macro f(a) %}{{ a }}{% endmacro %}{{ f(1, 2) }}
{% macro f(a) %}{{ a }}{% endmacro %}{{ f(x=1) }}
{% macro f(a) %}{{ a is defined }}{{ a }}{% endmacro %}{{ f() }}
{% macro f(a) %}{{ a.x }}{% endmacro %}{{ f() }}
{% macro f() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, x=3) }}
{% macro f(a) %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ f(1, 2, x=3) }}{{ f(a=1) }}
{% macro f(a=1, b) %}{% endmacro %}
{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}
{% macro f() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ f() }}{% set x = 2 %}{{ f() }}
{% macro f() %}{{ tools is none }}{% endmacro %}{{ f() }}{% set tools = 1 %}{{ f() }}
{{ f() }}{% macro f() %}x{% endmacro %}
{% macro f() %}x{% endmacro %}{{ f }}{{ f.name }}{{ f.arguments }}{{ f.caller }}{{ f.nope }}
{% macro f() %}{% set y = 1 %}{% endmacro %}{{ f() }}{{ y }}
{% macro f(x) %}{% set x = x + 1 %}{{ x }}{% endmacro %}{{ f(1) }}
{% macro f(a) %} {{ a }} {% endmacro %}{{ f('x') | trim }}|{{ f(none) }}|{{ f('<') | e }}
{% macro box(t) %}<{{ t }}>{{ caller() }}</{{ t }}>{% endmacro %}{% call box('b') %}hi{% endcall %}
{% macro each(xs) %}{% for x in xs %}{{ caller(x, loop.index) }}{% endfor %}{% endmacro %}{% call(a, i) each([7, 8]) %}{{ i }}:{{ a }} {% endcall %}
{% macro f() %}{{ caller is defined }}{% endmacro %}{{ f() }}
{% macro f() %}x{% endmacro %}{% call f() %}y{% endcall %}
{% macro f() %}{{ caller() }}{% endmacro %}{% set v = 1 %}{% call f() %}{{ v }}{% set v = 2 %}{{ v }}{% endcall %}{{ v }}
{% call 1 %}x{% endcall %}
{% filter upper %}a{{ 'b' }}{% endfilter %}
{% filter upper | replace('A', 'x') %}aba{% endfilter %}
{% filter nope %}a{% endfilter %}
{% filter indent(2, true) %}a\nb{% endfilter %}
{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}
{% set a = 0 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}
{% with %}{% set q = 1 %}{{ q }}{% endwith %}{{ q }}
{% raw %}{{ x }}{% if %}{% endraw %}
a\n  {% raw %}\n  b\n  {% endraw %}\n  c
a {%- raw -%} b {%- endraw -%} c
{% raw %}{{ x }}
{%- generation -%} x {%- endgeneration -%} y
{% generation %}{% set g = 1 %}{{ g }}{% endgeneration %}{{ g }}
{% block b %}x{{ messages | length }}{% endblock %}
{% set v = 1 %}{% block b %}{{ v }}{% endblock %}
{% for v in [1] %}{% block b %}[{{ v }}]{% endblock %}{% endfor %}
{% for v in [1] %}{% block b scoped %}[{{ v }}]{% endblock %}{% endfor %}
{% print 1, 'a' %}
{% do 1 %}
{% include 'x' %}
{% import 'x' as y %}
{% extends 'x' %}
{% nope %}
{% endif %}
{% if 1 %}
{% for x in [1] %}{% endif %}
{% %}
{{ }}
{{ 1
{% if 1
{# open
a{#
a{#-
a {#- 
{# c #}a{#- c -#} b
a\n  {#- c -#}\n  b
a\n  {# c #}\n  b
a\n{# c #}\nb
a\r\n{% if true %}\r\nb\r\n{% endif %}\r\nc
a\rb{% if 1 %}\rc{% endif %}
'\r\n' in text: {{ 'a\r\nb' | length }}
a\n
a\n\n

\n
  {% if 1 %}\n  a\n  {% endif %}\n  b
x  {% if 1 %}\n  a\n  {% endif %} y
  {%+ if 1 %}\n  a\n  {%+ endif %}\n  b
  {% if 1 +%}\n  a\n  {% endif +%}\n  b
a  {%- if 1 -%}  b  {%- endif -%}  c
a  {{- 1 -}}  b
a\n  {{ 1 }}\n  b
{{-1}}
{{ 5 -1 }}
  \t{% set a = 1 %}\n{{ a }}
{% set a = 1 %}  \n{{ a }}
{{ '{{' }}{{ '%}' }}{{ "}}" }}
{{ {'a': {'b': 1}} }}{{ {'a': {'b': 1}}}}
{% set a = {'b': {}}%}{{ a }}
{% for x in [1, 2] -%}\n  {{ x }}\n{%- endfor %}
{% if 1 %}a{% else %}{{ 'x' | nope }}{% endif %}
{% if 0 %}{{ 'x' | nope }}{% endif %}ok
{{ 'a' if 1 else ('x' | nope) }}
{{ ('x' | nope) if 0 else 'ok' }}
{% for x in [] %}{{ 'x' | nope }}{% endfor %}
{% if 0 %}{% for x in [] %}{{ 'x' | nope }}{% endfor %}{% endif %}
{% macro f() %}{{ 'x' | nope }}{% endmacro %}
{% if 0 %}{{ 1 is nope }}{% endif %}ok
{% break %}
{% for x in [1] %}{% macro f() %}{% break %}{% endmacro %}{% endfor %}
{% for x in [1, 2] %}{% set y %}a{% continue %}{% endset %}{% endfor %}ok
{% for x in [1, 2] %}{% filter upper %}a{% break %}{% endfilter %}{% endfor %}ok
{% for x in [1, 2] %}{% with a = x %}{{ a }}{% continue %}{% endwith %}b{% endfor %}
{% set c = cycler('a', 'b') %}{% for x in [1, 2, 3] %}{{ c.next() }}{% endfor %}{{ c.reset() }}{{ c.current }}
{% set j = joiner('|') %}{% for x in [1, 2, 3] %}{{ j() }}{{ x }}{% endfor %}
{% set g = [1, 2, 3] | map('string') %}{{ g | first }}{{ g | first }}{{ g | list }}{{ g | list }}
{% set g = [1, 2, 3] | select %}{% for x in g %}{{ x }}{% break %}{% endfor %}{{ g | list }}
{% set x = [1] %}{% set y = x + [2] %}{{ x }}{{ y }}
{% set x = 1 %}{% for i in [1] %}{% set x = x + 1 %}{{ x }}{% endfor %}{{ x }}
{{ bos_token }}{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] | trim }}{{ eos_token }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}
{%- if messages[0]['role'] == 'system' -%}{%- set system = messages[0]['content'] -%}{%- set messages = messages[1:] -%}{%- endif -%}{{ system }}{{ messages | length }}
{% for m in messages[1:] %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate.') }}{% endif %}{{ m.role }};{% endfor %}
{% for m in messages %}{% if m.tool_calls is defined and m.tool_calls is not none %}calls{% elif m.tool_calls %}x{% else %}{{ m.content }}{% endif %}{% endfor %}
{% set parts = [{'type': 'text', 'text': 'A'}, {'type': 'image'}] %}{% for p in parts %}{% if p.type == 'text' %}{{ p.text }}{% elif p['type'] in ['image', 'image_url'] %}<image>{% endif %}{% endfor %}
{{ ('<think>\na\n</think>\n\nb'.split('</think>') | last).lstrip('\n') }}|{{ '<think>\na\n</think>b'.split('</think>')[0].split('<think>')[-1].strip('\n') }}
{%- macro render(spec, depth=0) -%}{%- if spec is mapping -%}{ {%- for k, v in spec.items() -%}{{ k }}: {{ render(v, depth + 1) }}{{ ', ' if not loop.last }}{%- endfor -%} }{%- elif spec is iterable and spec is not string -%}[{{ spec | map('string') | join(' | ') }}]{%- else -%}{{ spec }}@{{ depth }}{%- endif -%}{%- endmacro -%}{{ render(obj) }}
"""


def templates():
    for line in VALUES.strip("\n").replace("\\\n", "\0").split("\n"):
        yield "{{ " + line.replace("\0", "\\\n") + " }}"
    for line in TEMPLATES.strip("\n").split("\n"):
        # An escape in a text of the template has two backslashes here.
        yield line.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t")


def main():
    compile_template = environment().from_string
    lines = []
    for template in templates():
        answer = render(compile_template, template, NAMES)
        if " at 0x" in answer.get("text", ""):
            # A text with an address in memory, which Ambry refuses.
            answer = {"error": "Address:"}
        error = answer.get("error")
        given = {"error": error.split(":")[0]} if error is not None else answer
        lines.append(json.dumps({"template": template, **given}))
    print('{\n"names": ' + json.dumps(NAMES) + ',\n"snippets": [\n' + ",\n".join(lines) + "\n]\n}")


if __name__ == "__main__":
    main()
