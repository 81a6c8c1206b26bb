# The way to build where cmake is missing; CMakeLists.txt is the first. Same sources, flags and file names.
{
  'variables': { 'desk_werror%': 0, 'desk_debug%': 0 },
  'target_defaults': {
    'include_dirs': ['native'],
    'defines': ['NAPI_VERSION=8', 'NODE_ADDON_API_CPP_EXCEPTIONS_ALL', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
    'cflags_cc!': ['-fno-exceptions', '-fno-rtti', '-std=gnu++17', '-std=gnu++20'],
    'cflags!': ['-O2', '-fno-omit-frame-pointer'],
    'cflags_cc': [
      '-std=c++20', '-fexceptions', '-frtti', '-fvisibility=hidden', '-fvisibility-inlines-hidden', '-Wall', '-Wextra',
      # their headers are not ours to warn about
      '-isystem', '<!(node -p "require(\'path\').resolve(require(\'node-addon-api\').include_dir)")',
    ],
    'conditions': [
      ['desk_werror==1', { 'cflags_cc': ['-Werror'] }],
      ['desk_debug==1', { 'cflags_cc': ['-Og', '-g', '-D_GLIBCXX_ASSERTIONS'] }, { 'cflags_cc': ['-O3'], 'ldflags': ['-s'] }],
    ],
    # Why: CMakeLists.txt.
    'target_conditions': [
      ['_type=="executable"', { 'cflags_cc': ['-fPIE'], 'ldflags': ['-pie'] }, { 'ldflags': ['-Wl,-z,nodelete'] }],
    ],
  },
  'conditions': [
    ['target_arch=="x64"', {
      'targets': [
        {
          'target_name': 'desk_x86_64',
          'sources': ["<!@(node native/batches.mjs native/sources.txt)"],
          'defines': ['DESK_MARK="x86_64"'],
          'cflags_cc': ['-march=x86-64'],
        },
        {
          'target_name': 'desk_avx512_mark',
          'sources': ["<!@(node native/batches.mjs native/sources.txt)"],
          'defines': ['DESK_MARK="avx512_mark"'],
          'cflags_cc': ['-march=x86-64-v4'],
        },
        {
          'target_name': 'desk-peek',
          'type': 'executable',
          'sources': ["<!@(node native/batches.mjs native/peek/sources.txt)"],
          'cflags_cc': ['-march=x86-64'],
        },
        {
          'target_name': 'desk-start',
          'type': 'executable',
          'sources': ["<!@(node native/batches.mjs native/start/sources.txt)"],
          'cflags_cc': ['-march=x86-64'],
        },
      ],
    }],
    ['target_arch=="arm64"', {
      'targets': [
        {
          'target_name': 'desk_aarch64',
          'sources': ["<!@(node native/batches.mjs native/sources.txt)"],
          'defines': ['DESK_MARK="aarch64"'],
          'cflags_cc': ['-march=armv8-a'],
        },
        {
          'target_name': 'desk-peek',
          'type': 'executable',
          'sources': ["<!@(node native/batches.mjs native/peek/sources.txt)"],
          'cflags_cc': ['-march=armv8-a'],
        },
        {
          'target_name': 'desk-start',
          'type': 'executable',
          'sources': ["<!@(node native/batches.mjs native/start/sources.txt)"],
          'cflags_cc': ['-march=armv8-a'],
        },
      ],
    }],
  ],
}
