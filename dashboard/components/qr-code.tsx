import makeCode from 'qrcode-generator';

/** Light modules around the code, which readers need. */
const MARGIN = 4;

/** A text as a QR code, black on white in every theme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = makeCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const all = Array.from({ length: count }, (_, index) => index);
  const path = all
    .flatMap((row) => all.filter((column) => code.isDark(row, column)).map((column) => `M${column} ${row}h1v1h-1z`))
    .join('');
  const side = count + 2 * MARGIN;
  return (
    <svg
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      width={180}
      height={180}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" rx={2} />
      <path d={path} fill="#000" />
    </svg>
  );
}
