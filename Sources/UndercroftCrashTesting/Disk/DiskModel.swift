/// An in-memory model of the files in one folder.
///
/// The model consists of nodes, which correspond to the
/// inodes of a file system, and of names that refer to nodes.
package struct DiskModel: Sendable {
  /// One file, folder or symbolic link.
  package struct Node: Sendable {
    /// Whether the node is a file, a folder or a symbolic link.
    package var kind: FileOperation.Kind
    /// The permission bits of the node.
    package var mode: UInt32
    /// The bytes of a file, or no bytes for another kind of node.
    package internal(set) var bytes: [UInt8] = []
    /// The node numbers of the entries of a folder, keyed by name.
    package internal(set) var entries: [String: Int] = [:]
    /// The cached hash of the mode and the content of the node, or `nil` if it was not computed
    /// yet.
    var digest: Int?

    package var isFolder: Bool { kind == .folder }
  }

  /// The number of the root folder's node.
  package static let root = 0

  /// All nodes of the model, indexed by their numbers.
  package private(set) var nodes: [Node]

  /// Creates a model of an empty folder.
  package init() { nodes = [Node(kind: .folder, mode: 0o700)] }

  /// The number that the next new node will have.
  package var nextNode: Int { nodes.count }

  /// Applies one operation.
  ///
  /// If the creation of a name was lost in a crash, the name may be missing
  /// when a later operation removes or renames it. This is not an error.
  package mutating func apply(_ operation: FileOperation) {
    switch operation {
    case .create(let folder, let name, let node, let kind, let mode):
      insert(node, kind, mode)
      nodes[folder].entries[name] = node
    case .write(let node, let offset, let bytes): write(bytes, at: offset, of: node)
    case .truncate(let node, let size): resize(node, to: size)
    case .zero(let node, let range):
      let end = min(range.upperBound, nodes[node].bytes.count)
      if range.lowerBound < end { fill(node, range.lowerBound..<end) }
    case .link(let node, let folder, let name): nodes[folder].entries[name] = node
    case .rename(let node, let from, let name, let to, let newName):
      if nodes[from].entries[name] == node { nodes[from].entries[name] = nil }
      nodes[to].entries[newName] = node
    case .remove(let folder, let name): nodes[folder].entries[name] = nil
    case .setMode(let node, let mode):
      nodes[node].mode = mode
      nodes[node].digest = nil
    case .flush, .flushAll: break
    }
  }

  /// Adds the nodes that the operations create, but not their names.
  ///
  /// The node numbers in later operations therefore remain valid even if a crash loses a creation.
  mutating func reserveNodes(of operations: some Sequence<FileOperation>) {
    for case .create(_, _, let node, let kind, let mode) in operations { insert(node, kind, mode) }
  }

  private mutating func insert(_ node: Int, _ kind: FileOperation.Kind, _ mode: UInt32) {
    while nodes.count < node { nodes.append(Node(kind: .file, mode: 0o600)) }
    if nodes.count == node { nodes.append(Node(kind: kind, mode: mode)) }
  }

  private mutating func write(_ bytes: [UInt8], at offset: Int, of node: Int) {
    guard !bytes.isEmpty else { return }
    nodes[node].digest = nil
    nodes[node].bytes.overwrite(offset, with: bytes)
  }

  private mutating func fill(_ node: Int, _ range: Range<Int>) {
    nodes[node].digest = nil
    nodes[node].bytes.overwrite(range.lowerBound, with: .zeros(range.count))
  }

  private mutating func resize(_ node: Int, to size: Int) {
    guard size != nodes[node].bytes.count else { return }
    nodes[node].digest = nil
    nodes[node].bytes = nodes[node].bytes.resized(to: size)
  }

  /// Replaces all bytes of the file with the number `node`.
  mutating func setBytes(_ bytes: [UInt8], of node: Int) {
    nodes[node].bytes = bytes
    nodes[node].digest = nil
  }
}

extension DiskModel {
  /// Returns a hash of all reachable names, modes and bytes.
  ///
  /// Within one process, equal trees have equal hashes.
  package mutating func digest() -> Int { digest(of: Self.root, depth: 0) }

  private mutating func digest(of node: Int, depth: Int) -> Int {
    if let known = nodes[node].digest, !nodes[node].isFolder { return known }
    var hasher = Hasher()
    hasher.combine(nodes[node].mode)
    switch nodes[node].kind {
    case .file:
      nodes[node].bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .link(let target): hasher.combine(target)
    case .folder:
      // Add the hashes of the entries: a sum does not depend on their order, so they need not be
      // sorted.
      var sum = nodes[node].entries.count
      if depth < 64 {
        for (name, child) in nodes[node].entries {
          var entry = Hasher()
          entry.combine(name)
          entry.combine(digest(of: child, depth: depth + 1))
          sum &+= entry.finalize()
        }
      }
      hasher.combine(sum)
    }
    let result = hasher.finalize()
    nodes[node].digest = result
    return result
  }

  /// The paths of all files and folders with their nodes, in sorted order.
  package var paths: [(path: String, node: Int)] {
    var found: [(path: String, node: Int)] = []
    collect(Self.root, "", into: &found, depth: 0)
    return found.sorted { $0.path < $1.path }
  }

  /// Returns a path of a node, or `nil` if no name refers to the node.
  ///
  /// The path of the root folder is empty.
  func path(of node: Int) -> String? {
    node == Self.root ? "" : paths.first { $0.node == node }?.path
  }

  private func collect(
    _ node: Int, _ prefix: String, into found: inout [(path: String, node: Int)], depth: Int
  ) {
    // If names are lost, a folder can be its own descendant.
    guard depth < 64 else { return }
    for (name, child) in nodes[node].entries {
      found.append((prefix + name, child))
      if nodes[child].isFolder {
        collect(child, prefix + name + "/", into: &found, depth: depth + 1)
      }
    }
  }
}
