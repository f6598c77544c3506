/// Descriptions of the operations of a recording, with the names of files instead of node numbers.
package struct OperationNames {
  private let operations: [FileOperation]
  /// The path that each node had when it was created, as components.
  private var paths: [Int: [Substring]] = [DiskModel.root: []]

  /// The maximum number of operations that a text describes individually.
  private static let maximumListed = 3

  /// Creates the descriptions for the operations of a trace.
  package init(_ trace: Trace) {
    operations = trace.operations
    for (path, node) in trace.before.paths { paths[node] = path.split(separator: "/") }
    for case .create(let folder, let name, let node, _, _) in operations {
      paths[node] = (paths[folder] ?? []) + [name[...]]
    }
  }

  /// Returns the path that a file or folder had when it was created.
  func path(of node: Int) -> String {
    let words = paths[node] ?? []
    return words.isEmpty ? "the folder of the store" : "\"\(words.joined(separator: "/"))\""
  }

  private func path(_ folder: Int, _ name: String) -> String {
    "\"\(((paths[folder] ?? []) + [name[...]]).joined(separator: "/"))\""
  }

  /// Returns a description of operations: a description of each of the first three, and the numbers
  /// of the remaining operations.
  func text(of numbers: Set<Int>) -> String {
    let sorted = numbers.sorted()
    let listed = sorted.prefix(Self.maximumListed).map { text(of: $0) }.joined(separator: ", ")
    let rest = sorted.dropFirst(Self.maximumListed)
    return rest.isEmpty ? listed : listed + " and operations \(NumberRanges(rest))"
  }

  /// Returns a description of one operation that states its number.
  func text(of number: Int) -> String {
    guard operations.indices.contains(number) else { return "operation \(number)" }
    return "\(words(for: operations[number])) (operation \(number))"
  }

  private func words(for operation: FileOperation) -> String {
    switch operation {
    case .create(let folder, let name, _, _, _): "the creation of \(path(folder, name))"
    case .write(let node, let offset, let bytes):
      "the write of \(bytes.count) bytes at \(offset) of \(path(of: node))"
    case .truncate(let node, let size): "the truncation of \(path(of: node)) to \(size) bytes"
    case .zero(let node, let range):
      "the zeros at \(range.lowerBound) of \(path(of: node)), \(range.count) bytes,"
    case .link(_, let folder, let name): "the link \(path(folder, name))"
    case .rename(_, let from, let name, let to, let newName):
      "the rename of \(path(from, name)) to \(path(to, newName))"
    case .remove(let folder, let name): "the removal of \(path(folder, name))"
    case .setMode(let node, _): "the mode of \(path(of: node))"
    case .flush(let node, _): "the flush of \(path(of: node))"
    case .flushAll: "the flush of everything"
    }
  }
}
