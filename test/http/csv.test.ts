import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/contract/csv.ts';
import { parseCsv, readCsv } from '../support/parse-csv.ts';

describe('a line of CSV', () => {
  it.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['+1', `'+1`],
    ['-1', `'-1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `"'\t=1"`],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['＝1', `'＝1`],
    ["'1", "''1"],
    ['a,"b"', '"a,""b"""'],
    ['a;=1', '"a;=1"'],
    ['a=1', 'a=1'],
    ["it's", "it's"],
    ['ada.eth', 'ada.eth'],
  ])('has %j so that no spreadsheet reads a formula, and a program reads it as it was', (text, expected) => {
    const line = csvLine([text, '']);
    expect(line).toBe(`${expected},\r\n`);
    expect(parseCsv(line)).toHaveLength(1);
    expect(readCsv(csvLine(['text', 'none']) + line)).toEqual([{ text, none: '' }]);
  });

  it('has numbers and booleans as they are, and nothing for what is absent', () => {
    expect(csvLine([-1, true, null, undefined])).toBe('-1,true,,\r\n');
  });
});
