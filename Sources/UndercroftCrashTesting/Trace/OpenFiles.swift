/// An open file of the recorded program: what `dup` shares, such as the offset.
final class OpenFile {
  /// The node under the recorded folder, or `nil` for anything outside it.
  let node: Int?
  /// The absolute path of a folder outside, to which relative names belong.
  let path: String
  var offset = 0
  let appends: Bool

  init(node: Int?, path: String, appends: Bool = false) {
    self.node = node
    self.path = path
    self.appends = appends
  }
}

/// The descriptors of the recorded processes; threads share a table, a forked process has a copy.
struct OpenFiles {
  private final class Table {
    var files: [Int: OpenFile]

    init(_ files: [Int: OpenFile] = [:]) { self.files = files }
  }

  private var tables: [Int: Table] = [:]

  private mutating func table(of thread: Int) -> Table {
    if let table = tables[thread] { return table }
    // The first lines of a new thread may stand before the end of its creator's `clone`.
    let table = tables.count == 1 ? tables.values.first ?? Table() : Table()
    tables[thread] = table
    return table
  }

  /// The open file behind a descriptor of a thread.
  subscript(thread: Int, descriptor: Int) -> OpenFile? {
    mutating get { table(of: thread).files[descriptor] }
    set { table(of: thread).files[descriptor] = newValue }
  }

  /// Closes a range of descriptors.
  mutating func close(_ range: ClosedRange<Int>, of thread: Int) {
    let table = table(of: thread)
    for descriptor in table.files.keys where range.contains(descriptor) {
      table.files[descriptor] = nil
    }
  }

  /// Gives a new thread the table of its creator, or a new process a copy of it.
  mutating func clone(_ child: Int, of thread: Int, sharing: Bool) {
    let parent = table(of: thread)
    if sharing {
      tables[child] = parent
    } else if tables[child] == nil || tables[child] === parent {
      tables[child] = Table(parent.files)
    }
  }
}
