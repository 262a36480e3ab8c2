import { describe, expect, it } from 'vitest';
import { renderHead } from '../../src/http/pages/page-head.ts';

const plain = { type: 'profile', title: 'ada.eth', description: 'An account.', url: null, image: null } as const;

describe('the head of a page', () => {
  it('escapes a title that tries to leave its element and its attributes', () => {
    const head = renderHead({ ...plain, title: `</title><script>alert(1)</script>" onload='x' &amp;` });
    expect(head).not.toMatch(/<script|<\/title><|" onload|onload='/);
    expect(head).toContain(
      'content="&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39; &amp;amp;"',
    );
    expect(head.match(/<(?!title>|\/title>|meta )/g)).toBeNull();
  });

  it('leaves out control characters that break a line or reorder the text, but not those inside emoji', () => {
    const head = renderHead({ ...plain, title: 'a\u202Emoc\u2066b\u200F\n\0\uD800👩‍🚀.eth' });
    expect(head).toContain('<title>amocb\uFFFD👩‍🚀.eth · Kith</title>');
  });

  it('has absolute links and a large picture only if the public URL is known', () => {
    expect(renderHead(plain)).not.toMatch(/og:url|og:image|summary_large/);
    const head = renderHead({ ...plain, url: 'https://kith.example/a"b', image: 'https://kith.example/i.png' });
    expect(head).toContain('<meta property="og:url" content="https://kith.example/a&quot;b" />');
    expect(head).toContain('<meta property="og:image" content="https://kith.example/i.png" />');
    expect(head).toContain('<meta name="twitter:card" content="summary_large_image" />');
  });
});
