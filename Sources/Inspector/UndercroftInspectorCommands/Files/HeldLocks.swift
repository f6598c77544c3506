import Foundation
import UndercroftFileSystem

/// The locks that processes hold on files at one instant.
struct HeldLocks {
  /// The locks by their files, so that a command with many stores and locks examines each lock
  /// once.
  private var byFile: [FileIdentity: [HeldLock]] = [:]

  /// Creates the collection of locks, each of which may be listed several times.
  init(_ locks: [HeldLock]) {
    var known: Set<HeldLock> = []
    for lock in locks where known.insert(lock).inserted {
      byFile[lock.file, default: []].append(lock)
    }
  }

  /// Returns the locks on a file.
  func on(_ file: StoreFile) -> [HeldLock] { byFile[file.identity] ?? [] }

  /// Returns the present locks of all processes on this system. (`/proc/locks`)
  ///
  /// The system lists the locks page by page, and omits some of them if other processes acquire and
  /// release locks meanwhile. So the list is read three times, and the locks of each listed process
  /// are also read from the descriptions of its open files. (`/proc/<process>/fdinfo`) The result
  /// is empty on systems without these files.
  static func present() -> HeldLocks {
    var locks: [HeldLock] = []
    for _ in 0..<3 {
      guard let text = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else {
        return HeldLocks([])
      }
      locks += HeldLock.parse(text)
    }
    for process in Set(locks.compactMap(\.process)).sorted() { locks += held(by: process) }
    return HeldLocks(locks)
  }

  /// Returns the locks of one process on files that it has open.
  ///
  /// The system shows the open files of processes of the same user; the superuser sees all of them.
  private static func held(by process: Int) -> [HeldLock] {
    let folder = "/proc/\(process)/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.flatMap { name in
      let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n").filter { $0.hasPrefix(linePrefix) }
      return HeldLock.parse(
        lines.map { String($0.dropFirst(linePrefix.count)) }.joined(separator: "\n"))
    }
  }

  /// The beginning of a line that describes a lock on an open file.
  private static let linePrefix = "lock:"
}
