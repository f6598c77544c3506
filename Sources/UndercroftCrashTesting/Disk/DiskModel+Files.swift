package import UndercroftCore
import UndercroftFileSystem

/// The conversion between a model and real files.
extension DiskModel {
  /// Returns whether a file is a `-shm` file of SQLite.
  ///
  /// Models leave out these files, because SQLite creates them again after a crash.
  package static func isIgnored(_ path: String) -> Bool { path.hasSuffix("-shm") }

  /// Creates a model of the files in a folder and its subfolders.
  package init(readingFrom path: String) throws(StorageError) {
    self.init()
    var known: [UInt64: Int] = [:]
    try read(path, into: Self.root, &known)
  }

  private mutating func read(
    _ path: String, into folder: Int, _ known: inout [UInt64: Int]
  ) throws(StorageError) {
    for name in try Folder.names(in: Folder.open(path)).sorted() where !Self.isIgnored(name) {
      let full = path + "/" + name
      var status = stat()
      guard lstat(full, &status) == 0 else { throw .system("read the attributes of", full) }
      if let node = known[UInt64(status.st_ino)] {
        apply(.link(node: node, folder: folder, name: name))
        continue
      }
      let node = nextNode
      known[UInt64(status.st_ino)] = node
      let mode = UInt32(status.st_mode) & 0o7777
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        apply(.create(folder: folder, name: name, node: node, .folder, mode: mode))
        try read(full, into: node, &known)
      case S_IFLNK:
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { bytes in
          bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(full, $0, bytes.count) } ?? -1
        }
        guard count >= 0 else { throw .system("read the symbolic link", full) }
        let target = String(decoding: buffer.prefix(count), as: UTF8.self)
        apply(.create(folder: folder, name: name, node: node, .link(target: target), mode: mode))
      default:
        apply(.create(folder: folder, name: name, node: node, .file, mode: mode))
        setBytes([UInt8](try Descriptor(opening: full, O_RDONLY).readAll()), of: node)
      }
    }
  }

  /// Writes the files of the model to a new folder at `path`, and preserves hard links.
  package func write(to path: String) throws(StorageError) {
    guard mkdir(path, 0o700) == 0 else { throw .system("create the folder", path) }
    var written: [Int: String] = [:]
    try write(Self.root, to: path, &written, depth: 0)
  }

  private func write(
    _ folder: Int, to path: String, _ written: inout [Int: String], depth: Int
  ) throws(StorageError) {
    guard depth < 64 else { return }
    for (name, node) in nodes[folder].entries {
      let full = path + "/" + name
      if let first = written[node] {
        guard nodes[node].isFolder || linkFile(first, full) == 0 else {
          throw .system("create the hard link", full)
        }
        continue
      }
      written[node] = full
      switch nodes[node].kind {
      case .folder:
        guard mkdir(full, 0o700) == 0 else { throw .system("create the folder", full) }
        try write(node, to: full, &written, depth: depth + 1)
        if nodes[node].mode != 0o700 { chmod(full, mode_t(nodes[node].mode)) }
      case .link(let target):
        guard symlink(target, full) == 0 else { throw .system("create the symbolic link", full) }
      case .file:
        let file = try Descriptor(opening: full, O_WRONLY | O_CREAT | O_EXCL)
        let failure = nodes[node].bytes.withUnsafeBytes { bytes -> StorageError? in
          do throws(StorageError) { try file.write(bytes) } catch { return error }
          return nil
        }
        if let failure { throw failure }
        if nodes[node].mode != 0o600 { fchmod(file.raw, mode_t(nodes[node].mode)) }
      }
    }
  }

  /// Returns the differences from another model, one line for each path that differs.
  package func differences(from other: DiskModel) -> [String] {
    let mine = Dictionary(paths.map { ($0.path, $0.node) }) { first, _ in first }
    let others = Dictionary(other.paths.map { ($0.path, $0.node) }) { first, _ in first }
    return Set(mine.keys).union(others.keys).sorted().compactMap { path in
      guard let here = mine[path] else { return "\(path) is missing" }
      guard let there = others[path] else { return "\(path) is superfluous" }
      let (left, right) = (nodes[here], other.nodes[there])
      if left.kind != right.kind { return "\(path) is \(left.kind) instead of \(right.kind)" }
      if left.bytes.count != right.bytes.count {
        return "\(path) has \(left.bytes.count) bytes instead of \(right.bytes.count)"
      }
      if left.bytes != right.bytes { return "\(path) has other bytes" }
      if !left.isLink, left.mode != right.mode {
        return
          "\(path) has mode \(String(left.mode, radix: 8)) instead of \(String(right.mode, radix: 8))"
      }
      return nil
    }
  }
}

extension DiskModel.Node {
  fileprivate var isLink: Bool {
    if case .link = kind { true } else { false }
  }
}

/// Creates the hard link `second` to the file `first`,
/// and returns 0 or, after a failure, -1. (`link`)
private func linkFile(_ first: String, _ second: String) -> Int32 { link(first, second) }
