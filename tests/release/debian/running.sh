# The processes of this machine that run a robot with the installed program, replaced or not.
running() {
    root=$(stat -Lc %d:%i /)
    for process in /proc/[0-9]*; do
        case $(readlink "$process/exe") in
        /usr/bin/dcm-run | "/usr/bin/dcm-run (deleted)") ;;
        *) continue ;;
        esac
        # Not those outside of this root folder, if it is one of several.
        [ "$(stat -Lc %d:%i "$process/root")" = "$root" ] || continue
        # As an argument of its own: a text may have these words in it.
        if tr '\0\n' '\n ' <"$process/cmdline" | grep -qxE 'run|serve|play'; then
            echo "${process#/proc/}"
        fi
    done 2>/dev/null
}

# The systemd service of a process, if it belongs to one.
service() { sed -n 's,^.*/\(dcm-run[^/]*\)\.service$,\1,p' "/proc/$1/cgroup" 2>/dev/null | head -n 1; }

# The command of a process.
command_of() { tr '\0' ' ' <"/proc/$1/cmdline" | sed 's/ $//'; }
