// What is wrong with the page's names, sizes, ids and contrasts: a list of texts.
(() => {
  const faults = [];
  const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.tl-hidden, .skip');
  const name = (e) => e.ariaLabel || (e.getAttribute('aria-labelledby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.innerText ?? '').join('') ||
    (e.labels?.[0]?.innerText ?? '') || e.innerText || e.title || '';
  for (const e of document.querySelectorAll('button, input, select, textarea, a[href], [tabindex], [role=tab], [role=img]')) {
    if (visible(e) && !name(e).trim()) faults.push(`no name: ${e.outerHTML.slice(0, 120)}`);
    if (visible(e) && e.matches('button, select, input') && e.getBoundingClientRect().height < 20 && e.type !== 'checkbox')
      faults.push(`too small: ${name(e)} ${e.getBoundingClientRect().height}`);
  }
  const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
  for (const id of ids) if (ids.filter((other) => other === id).length > 1) faults.push(`id twice: ${id}`);
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls'])
    for (const e of document.querySelectorAll(`[${attribute}]`))
      for (const id of e.getAttribute(attribute).split(' '))
        if (!document.getElementById(id)) faults.push(`${attribute} leads nowhere: ${id}`);
  for (const e of document.querySelectorAll('section')) if (!name(e)) faults.push(`section without name: ${e.id}`);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, under) => top.slice(0, 3).map((c, i) => (c * top[3] + under[i] * (255 - top[3])) / 255).concat(255);
  const background = (e) => {
    const layers = [];
    for (let at = e; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      layers.push(color);
      if (color[3] === 255) break;
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 255]);
  };
  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let checked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !visible(e) || e.closest('svg, [aria-disabled], option')) continue;
    const under = background(e);
    const top = over(rgba(getComputedStyle(e).color), under);
    const [light, dark] = [luminance(top), luminance(under)].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    checked++;
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${e.className || e.tagName} "${node.textContent.trim().slice(0, 30)}"`);
  }
  if (checked < 30) faults.push(`only ${checked} texts`);
  return [...new Set(faults)];
})()
