import Foundation

/// A mounted file system.
struct MountedFileSystem: Equatable {
  /// The folder at which the file system is mounted.
  let mountPoint: String
  /// The kind of the file system, such as "ext4" or "fuse.sshfs".
  let kind: String
  let isReadOnly: Bool

  /// The mounted file systems, the last one first, or none if the system does not report them.
  ///
  /// (`/proc/self/mountinfo`)
  static var all: [MountedFileSystem] {
    let text = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    return text.map { parse($0) } ?? []
  }

  /// Returns the file system among `systems` that contains `path`, or `nil` if none contains it.
  static func of(_ path: String, among systems: [MountedFileSystem]) -> MountedFileSystem? {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    // A later mount at the same folder hides an earlier one.
    return systems.filter { $0.contains(resolved) }
      .max { $0.mountPoint.utf8.count < $1.mountPoint.utf8.count }
  }

  /// Returns the file systems in the text of `/proc/self/mountinfo`, the last one first.
  ///
  /// A line consists of two numbers, the device, the root, the mount point, the options, optional
  /// fields, a hyphen, the kind, the source and further options.
  static func parse(_ text: String) -> [MountedFileSystem] {
    text.split(separator: "\n").reversed().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count >= 9, let hyphen = fields[6...].firstIndex(of: "-"),
        hyphen + 1 < fields.count
      else { return nil }
      return MountedFileSystem(
        mountPoint: unescaped(fields[4]), kind: String(fields[hyphen + 1]),
        isReadOnly: fields[5].split(separator: ",").contains("ro"))
    }
  }

  private func contains(_ path: String) -> Bool {
    guard path.utf8.starts(with: mountPoint.utf8) else { return false }
    let next = path.utf8.dropFirst(mountPoint.utf8.count).first
    return mountPoint == "/" || next == nil || next == UInt8(ascii: "/")
  }

  /// Replaces the codes of a space, a tab, a line feed and a backslash.
  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing(#"\040"#, with: " ").replacing(#"\011"#, with: "\t")
      .replacing(#"\012"#, with: "\n").replacing(#"\134"#, with: #"\"#)
  }
}
