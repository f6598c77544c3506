extension String {
  /// The string, without its middle if it has more than 200 Unicode scalars.
  ///
  /// A message of SQLite repeats a name or a token of the statement, which a program may have
  /// generated. Its beginning and its end contain the words of SQLite.
  var withoutMiddle: String {
    let scalars = unicodeScalars
    guard scalars.count > 200 else { return self }
    return String(scalars.prefix(130)) + "…" + String(scalars.suffix(69))
  }
}
