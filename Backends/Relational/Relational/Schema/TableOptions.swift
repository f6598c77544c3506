/// How the rows of a table are kept.
struct TableOptions: Sendable, Equatable {
  var isStrict = false
  var isWithoutRowID = false
}
