/// The commands of a ``CrashLaboratory``, with the options of each command.
enum LaboratoryCommand: String, CaseIterable {
  case run = "run"
  case ext4 = "ext4"
  case check = "check"
  case fault = "fault"
  case list = "list"
  case help = "help"
  /// Tests one store, in a process that ``CrashLaboratory`` starts.
  ///
  /// This command and the commands `write` and `fault-write` are not for users.
  case examine = "examine"
  case write = "write"
  case faultWrite = "fault-write"

  /// The commands for users, in the order of the help text.
  static let shown: [LaboratoryCommand] = [.run, .ext4, .check, .fault, .list, .help]

  init(named name: String) throws(LaboratoryError) {
    guard let command = Self(rawValue: name) else {
      throw LaboratoryError(
        """
        cannot run the command "\(name)": the commands are \
        \(Self.shown.map(\.rawValue).listed); run one of these commands
        """)
    }
    self = command
  }

  private var summary: String {
    switch self {
    case .run: "test the stores; this is the default"
    case .ext4: "cut the power of a real ext4 file system in a file (needs loop devices)"
    case .check: "check one saved state again"
    case .fault: "make one call fail again"
    case .list: "print the names of the stores"
    case .help: "print this text, as --help does"
    case .examine, .write, .faultWrite: "used by the crash test itself"
    }
  }

  /// The names of the options that the command accepts, with descriptions of their values.
  private var described: [(name: String, text: String)] {
    switch self {
    case .run:
      [
        ("only", "names of stores, or what they begin with before a \"-\", separated by commas"),
        ("models", "of \(Self.models.listed), separated by commas; all by default"),
      ] + Self.limits + [
        ("seed", "repeats the choice of states; 1 by default"),
        ("failures", "the folder for failing states; a temporary one by default"),
      ]
    case .ext4:
      [
        ("only", "as above"), ("seconds", "for each store; 60 by default"),
        ("seed", "repeats the choice of moments"), ("failures", "as above"),
      ]
    case .check:
      [
        ("store", "its name"), ("state", "the folder of the state; it is not changed"),
        ("required", "the last batch that must be there; 0 by default"),
        ("begun", "the last batch that may be there; as required by default"),
        ("base", "of a second writer: the batch after which it began"),
      ]
    case .fault:
      [
        ("store", "its name"), ("call", CallFault.callNames.listed),
        ("number", "which of these calls fails first, from 1 on, the default"),
        ("count", "how many fail in a row; 1 by default"),
        ("error", "the number of the error; \(CallFault.defaultError) (EIO) by default"),
        ("form", "error (the default), short (half of the bytes) or half (and then the error)"),
      ]
    case .list, .help: []
    case .examine: Self.run.described + [("store", "")]
    case .write: [("store", ""), ("directory", ""), ("base", "")]
    case .faultWrite: [("store", ""), ("directory", ""), ("list", "")]
    }
  }

  private static let limits = [
    ("seconds", "at most for each model of each store; 60 by default"),
    ("states", "at most for each model of each store"),
    ("second", "how many second crashes are recorded for each store; 12 by default"),
    ("faults", "how many single faults are tried at most for each store"),
    ("calls", "which calls fail: \(CallFault.callNames.listed); all by default"),
  ]

  /// Whether only a ``CrashLaboratory`` itself uses the command, for a process that it starts.
  var isInternal: Bool { !Self.shown.contains(self) }

  /// Whether the command creates folders that must be removed when the process ends.
  var makesScratchFolders: Bool {
    switch self {
    case .run, .ext4, .check, .fault, .examine: true
    case .list, .help, .write, .faultWrite: false
    }
  }

  /// The names of the kinds of tests that the option `--models` selects.
  static let models = ["kill", "power", "second", "faults"]

  /// The names of the options that the command accepts.
  var options: [String] { described.map(\.name) }

  static var helpText: String {
    var lines = ["Tests stores after crashes, power failures and failing calls.", ""]
    for command in shown {
      lines.append("\(command.rawValue): \(command.summary)")
      lines += command.described.map { "  --\($0.name) …  \($0.text)" }
    }
    lines += [
      "", "Exit code: 0 if every guarantee holds, 1 if a guarantee is violated, 2 if the arguments",
      "are not valid or a store could not be tested.",
    ]
    return lines.joined(separator: "\n")
  }
}

extension Sequence<String> {
  /// The strings, joined with commas and spaces.
  var listed: String { joined(separator: ", ") }
}
