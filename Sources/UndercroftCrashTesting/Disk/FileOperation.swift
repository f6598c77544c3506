/// One operation that changes or flushes files in the folder of a recorded writer.
///
/// The names and file descriptors of the system call are resolved to nodes of the ``DiskModel``.
package enum FileOperation: Sendable, Equatable {
  /// The kind of a node of the ``DiskModel``: a file, a folder, or a symbolic link with its target.
  package enum Kind: Sendable, Equatable {
    case file
    case folder
    case link(target: String)
  }

  /// Creates a node with its first name. (`open` with `O_CREAT`, `mkdir`, `symlink`)
  case create(folder: Int, name: String, node: Int, Kind, mode: UInt32)
  case write(node: Int, offset: Int, bytes: [UInt8])
  case truncate(node: Int, size: Int)
  /// Replaces a range of existing bytes with zeros. (`fallocate` with `FALLOC_FL_PUNCH_HOLE`)
  case zero(node: Int, range: Range<Int>)
  case link(node: Int, folder: Int, name: String)
  case rename(node: Int, from: Int, name: String, to: Int, newName: String)
  case remove(folder: Int, name: String)
  case setMode(node: Int, mode: UInt32)
  /// Makes durable all operations on a node that precede operation `before`. (`fsync`)
  case flush(node: Int, before: Int)
  /// Makes durable all operations on all nodes that precede operation `before`. (`sync`)
  case flushAll(before: Int)
}

extension FileOperation {
  /// The node whose bytes or size the operation changes, or `nil` if the operation changes neither.
  package var changedFile: Int? {
    switch self {
    case .write(let node, _, _), .truncate(let node, _), .zero(let node, _): node
    default: nil
    }
  }

  /// The folder whose flush makes the changed name durable, or `nil` if no name changes.
  package var changedFolder: Int? {
    switch self {
    case .create(let folder, _, _, _, _), .link(_, let folder, _), .remove(let folder, _): folder
    case .rename(_, _, _, let folder, _): folder
    default: nil
    }
  }

  /// Whether the operation makes earlier operations durable.
  package var isFlush: Bool {
    switch self {
    case .flush, .flushAll: true
    default: false
    }
  }
}

extension FileOperation: CustomStringConvertible {
  package var description: String {
    switch self {
    case .create(let folder, let name, let node, let kind, _):
      "create \(kind) #\(node) as \"\(name)\" in #\(folder)"
    case .write(let node, let offset, let bytes):
      "write \(bytes.count) bytes at \(offset) of #\(node)"
    case .truncate(let node, let size): "truncate #\(node) to \(size)"
    case .zero(let node, let range): "zero \(range) of #\(node)"
    case .link(let node, let folder, let name): "link #\(node) as \"\(name)\" in #\(folder)"
    case .rename(_, let from, let name, let to, let newName):
      "rename \"\(name)\" in #\(from) to \"\(newName)\" in #\(to)"
    case .remove(let folder, let name): "remove \"\(name)\" from #\(folder)"
    case .setMode(let node, let mode): "set the mode of #\(node) to \(String(mode, radix: 8))"
    case .flush(let node, _): "flush #\(node)"
    case .flushAll: "flush everything"
    }
  }
}
