import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The state of all files and folders in a directory: their names, bytes,
/// modes, inodes and modification times.
struct FileTree: Equatable {
  struct Entry: Equatable {
    let bytes: Data?
    let mode: UInt32
    let inode: UInt64
    let seconds: Int
    let nanoseconds: Int
  }

  private(set) var entries: [ExactString: Entry] = [:]

  init(of directory: URL) throws {
    try add(directory.path(percentEncoded: false), "")
  }

  private mutating func add(_ path: String, _ name: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw StorageError.system("read the attributes of", path)
    }
    let kind = status.st_mode & S_IFMT
    var bytes: Data?
    if kind == S_IFREG { bytes = try Descriptor(opening: path, O_RDONLY).readAll() }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    entries[name.exact] = Entry(
      bytes: bytes, mode: UInt32(status.st_mode), inode: UInt64(status.st_ino),
      seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
    guard kind == S_IFDIR else { return }
    for child in try Folder.names(in: Folder.open(path)) {
      try add(path + "/" + child, name.isEmpty ? child : name + "/" + child)
    }
  }

  /// The paths of all files and folders, relative to the directory.
  ///
  /// The path of the directory itself is an empty string.
  var names: Set<String> { Set(entries.keys.map(\.text)) }

  /// Returns the paths of the files and folders that differ between this state and `other`.
  ///
  /// Access times are ignored.
  func differences(from other: FileTree) -> [String] {
    Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }
      .sorted().map(\.text)
  }

  /// Returns the path of a file whose name or content contains `needle`, or `nil` if there is none.
  func path(holding needle: Data) -> String? {
    entries.first { name, entry in
      Self.isFound(needle, in: Data(name.text.utf8))
        || Self.isFound(needle, in: entry.bytes ?? Data())
    }?.key.text
  }

  private static func isFound(_ needle: Data, in bytes: Data) -> Bool {
    // `memmem` is not in every C library.
    var rest = bytes[...]
    while rest.count >= needle.count, let start = rest.firstIndex(of: needle.first ?? 0) {
      if rest[start...].starts(with: needle) { return true }
      rest = rest[(start + 1)...]
    }
    return false
  }

  /// Copies regular files and folders to another directory, to simulate the
  /// state that a killed process leaves.
  static func copy(_ directory: URL, to other: URL) throws {
    let tree = try FileTree(of: directory)
    for (name, entry) in tree.entries.sorted(by: { $0.key < $1.key }) {
      let path = other.appending(path: name.text).path(percentEncoded: false)
      if let bytes = entry.bytes {
        try ReplacementFile.write(bytes, to: path, mode: mode_t(entry.mode) & 0o7777)
      } else if !name.text.isEmpty, mode_t(entry.mode) & S_IFMT == S_IFDIR {
        try Folder.create(path, mode: mode_t(entry.mode) & 0o7777)
      }
    }
  }
}
