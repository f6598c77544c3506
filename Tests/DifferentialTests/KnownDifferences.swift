/// Differences that the library still has, by mode and label, each with the reason; they are reported by `make nightly`.
///
/// An entry is removed with the commit that fixes the library.
enum KnownDifferences {
  static let reasons: [String: [String: String]] = [
    "migrations": [
      "indexes after a schema tool":
        "dropColumn drops an index whose condition speaks of another column",
      "rows with their details":
        "splitTable accepts rows whose key is NULL, which belong to no detail",
      "integrity after a schema tool":
        "the condition of an index means the rowid when a column of that name is gone",
      "redistribution whose end is allowed":
        "redistribute refuses a value that is twice in one table in passing",
    ]
  ]
}
