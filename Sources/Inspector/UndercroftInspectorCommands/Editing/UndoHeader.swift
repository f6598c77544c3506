import Foundation
import UndercroftCore
import UndercroftInspection

/// The first line of an undo file, which says what the file belongs to.
struct UndoHeader {
  /// The name of the command that wrote the file.
  let command: String
  /// The absolute path of the home or store that the command changed.
  let path: String
  /// The time of the change in the form of ISO 8601, in UTC.
  let time: String
  /// The id of the undo file whose values the command `undo` restored, or `nil` for other commands.
  let restored: String?

  /// The line without a line break.
  var json: String {
    let members: [ExactString: ResultValue] = [
      "command": .text(command), "path": .text(path), "time": .text(time),
      "restored": ResultValue(restored),
    ]
    return ResultValue.object(["undo": .object(members)]).json
  }
}

extension UndoHeader {
  /// The number of bytes in which the first line must end.
  private static let maximumSize = 1 << 16

  /// Reads the first line of a file; returns `nil` if it is not that of an undo file.
  init?(ofFile path: String) {
    guard let file = FileHandle(forReadingAtPath: path),
      let start = try? file.read(upToCount: Self.maximumSize),
      let line = start.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first,
      let header = try? JSONCodec().decode(UndoHeader.self, from: Data(line))
    else { return nil }
    self = header
  }
}

extension UndoHeader: Decodable {
  private struct Members: Decodable {
    let command: String
    let path: String
    let time: String
    let restored: String?

    private enum CodingKeys: String, CodingKey {
      case command = "command"
      case path = "path"
      case time = "time"
      case restored = "restored"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case undo = "undo"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
      .decode(Members.self, forKey: .undo)
    (command, path, time) = (members.command, members.path, members.time)
    restored = members.restored
  }
}
