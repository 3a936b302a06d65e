interface SearchInputProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Narrows a table beside it. */
export function SearchInput({ label, text, onChange }: SearchInputProps) {
  return (
    <input
      className="input"
      type="search"
      aria-label={label}
      placeholder="Search"
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
