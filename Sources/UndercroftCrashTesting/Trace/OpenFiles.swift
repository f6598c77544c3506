/// An open file description of the recorded program, with the offset that duplicated descriptors
/// share. (`dup`)
final class OpenFile {
  /// The node in the recorded folder, or `nil` for a file outside it.
  let node: Int?
  /// The absolute path of a file outside the recorded folder, or an empty string for other files.
  ///
  /// If the file is a folder, the relative paths of calls on its descriptor are resolved against
  /// this path.
  let path: String
  var offset = 0
  let appends: Bool

  init(node: Int?, path: String, appends: Bool = false) {
    self.node = node
    self.path = path
    self.appends = appends
  }
}

/// The file descriptors of the recorded processes.
///
/// The threads of a process share one table of descriptors. A forked process has a copy of the
/// table.
struct OpenFiles {
  private final class Table {
    var files: [Int: OpenFile]

    init(_ files: [Int: OpenFile] = [:]) { self.files = files }
  }

  private var tables: [Int: Table] = [:]

  private mutating func table(of thread: Int) -> Table {
    if let table = tables[thread] { return table }
    // If the recording does not contain the creation of a thread, the thread belongs to the only
    // process.
    let first = tables.values.first
    let table = tables.values.allSatisfy { $0 === first } ? first ?? Table() : Table()
    tables[thread] = table
    return table
  }

  /// The open file to which a descriptor of a thread
  /// refers, or `nil` if the descriptor is not open.
  subscript(thread: Int, descriptor: Int) -> OpenFile? {
    mutating get { table(of: thread).files[descriptor] }
    set { table(of: thread).files[descriptor] = newValue }
  }

  /// Closes a range of descriptors of a thread's process.
  mutating func close(_ range: ClosedRange<Int>, of thread: Int) {
    let table = table(of: thread)
    for descriptor in table.files.keys where range.contains(descriptor) {
      table.files[descriptor] = nil
    }
  }

  /// Records a new thread or a new process.
  ///
  /// A thread shares the descriptors of its creator, and a process receives a copy of them.
  mutating func clone(_ child: Int, of thread: Int, sharing: Bool) {
    let parent = table(of: thread)
    tables[child] = sharing ? parent : Table(parent.files)
  }
}
